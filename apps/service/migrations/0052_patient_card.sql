CREATE TABLE "record_contact" (
	"id" uuid PRIMARY KEY NOT NULL,
	"record_id" text NOT NULL,
	"kind" text NOT NULL,
	"number" text NOT NULL,
	"whose" text NOT NULL,
	"preferred" boolean NOT NULL,
	"may_leave_message" boolean NOT NULL,
	"staff_id" uuid NOT NULL,
	"at_s" bigint NOT NULL,
	"struck_at_s" bigint,
	CONSTRAINT "record_contact_kind" CHECK (kind in ('mobile', 'home', 'work', 'other'))
);
--> statement-breakpoint
CREATE TABLE "record_note" (
	"id" uuid PRIMARY KEY NOT NULL,
	"record_id" text NOT NULL,
	"kind" text NOT NULL,
	"text_sealed" "bytea" NOT NULL,
	"staff_id" uuid NOT NULL,
	"at_s" bigint NOT NULL,
	"struck_at_s" bigint,
	CONSTRAINT "record_note_kind" CHECK (kind in ('alert', 'note', 'label'))
);
--> statement-breakpoint
CREATE TABLE "wish" (
	"id" uuid PRIMARY KEY NOT NULL,
	"record_id" text NOT NULL,
	"kind" text NOT NULL,
	"type" text,
	"provider_id" text,
	"from_day" date,
	"to_day" date,
	"staff_id" uuid,
	"at_s" bigint NOT NULL,
	"struck_at_s" bigint,
	CONSTRAINT "wish_kind" CHECK (kind in ('followUp', 'earlier'))
);
--> statement-breakpoint
CREATE INDEX "record_contact_record" ON "record_contact" USING btree ("record_id");--> statement-breakpoint
CREATE INDEX "record_note_record" ON "record_note" USING btree ("record_id");--> statement-breakpoint
CREATE INDEX "wish_record" ON "wish" USING btree ("record_id");