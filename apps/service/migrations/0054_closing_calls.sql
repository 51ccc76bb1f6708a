CREATE TABLE "closing_call" (
	"id" uuid PRIMARY KEY NOT NULL,
	"closing_id" uuid NOT NULL,
	"appointment_id" uuid NOT NULL,
	"outcome" text,
	"takes_back" uuid,
	"noted_by" text NOT NULL,
	"at_s" bigint NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "closing_call_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "closing_call_outcome" CHECK (outcome in ('reached', 'messageLeft', 'noAnswer')),
	CONSTRAINT "closing_call_or_taken_back" CHECK ((outcome is null) = (takes_back is not null))
);
--> statement-breakpoint
CREATE INDEX "closing_call_entry" ON "closing_call" USING btree ("closing_id","appointment_id");--> statement-breakpoint
CREATE INDEX "closing_call_appointment" ON "closing_call" USING btree ("appointment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "closing_call_taken_back" ON "closing_call" USING btree ("takes_back");