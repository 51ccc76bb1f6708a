CREATE TABLE "message_note" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"staff_id" uuid NOT NULL,
	"at_s" bigint NOT NULL,
	"text_sealed" "bytea" NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "message_note_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1)
);
--> statement-breakpoint
CREATE TABLE "saved_reply" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "assigned_to" uuid;--> statement-breakpoint
ALTER TABLE "message" ADD COLUMN "closed_at_s" bigint;--> statement-breakpoint
ALTER TABLE "message_entry" ADD COLUMN "staff_id" uuid;--> statement-breakpoint
ALTER TABLE "message_entry" ADD COLUMN "request_key" text;--> statement-breakpoint
CREATE INDEX "message_note_message" ON "message_note" USING btree ("message_id","position");--> statement-breakpoint
CREATE INDEX "message_changed" ON "message" USING btree ("changed_at_s","id");