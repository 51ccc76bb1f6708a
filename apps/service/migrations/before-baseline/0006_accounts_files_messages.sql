CREATE TABLE "agreement" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"version" text NOT NULL,
	"text_hash" text NOT NULL,
	"at_s" bigint NOT NULL,
	CONSTRAINT "agreement_kind" CHECK (kind in ('feeWarning', 'icbc', 'general', 'signUp'))
);
--> statement-breakpoint
CREATE TABLE "medical_profile" (
	"patient_id" uuid PRIMARY KEY NOT NULL,
	"profile_sealed" "bytea" NOT NULL,
	"changed_at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "one_time_code" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"patient_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"created_at_s" bigint NOT NULL,
	"expires_at_s" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"used_at_s" bigint,
	"session_hash" "bytea",
	CONSTRAINT "one_time_code_purpose" CHECK (purpose in ('confirm', 'reset', 'dashboard'))
);
--> statement-breakpoint
CREATE TABLE "pharmacy" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"fax" text NOT NULL,
	"phone" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"state" text NOT NULL,
	"started_at_s" bigint NOT NULL,
	"changed_at_s" bigint NOT NULL,
	"unread" boolean DEFAULT false NOT NULL,
	"unread_by_clinic" boolean DEFAULT true NOT NULL,
	CONSTRAINT "message_state" CHECK (state in ('sent', 'replied'))
);
--> statement-breakpoint
CREATE TABLE "message_entry" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"author" text NOT NULL,
	"at_s" bigint NOT NULL,
	"text_sealed" "bytea" NOT NULL,
	"edited_at_s" bigint,
	CONSTRAINT "message_entry_author" CHECK (author in ('patient', 'clinic'))
);
--> statement-breakpoint
CREATE TABLE "message_file" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL,
	"slot" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_version" (
	"id" uuid PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"text_sealed" "bytea" NOT NULL,
	"at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "problem_report" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"message_sealed" "bytea" NOT NULL,
	"screenshot_sealed" "bytea",
	"is_appointment" boolean NOT NULL,
	"is_read" boolean DEFAULT false NOT NULL,
	"at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_file" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"name_sealed" "bytea" NOT NULL,
	"key_sealed" "bytea" NOT NULL,
	"content_sealed" "bytea" NOT NULL,
	"created_at_s" bigint NOT NULL,
	CONSTRAINT "stored_file_purpose" CHECK (purpose in ('healthCard', 'pictureId', 'message'))
);
--> statement-breakpoint
ALTER TABLE "patient" ADD COLUMN "blocked_reason" text;--> statement-breakpoint
ALTER TABLE "patient" ADD COLUMN "closed_at_s" bigint;--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "device" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "agreement_patient" ON "agreement" USING btree ("patient_id","at_s");--> statement-breakpoint
CREATE INDEX "one_time_code_hash" ON "one_time_code" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "one_time_code_patient" ON "one_time_code" USING btree ("patient_id","purpose");--> statement-breakpoint
CREATE INDEX "one_time_code_expiry" ON "one_time_code" USING btree ("expires_at_s");--> statement-breakpoint
CREATE INDEX "message_patient" ON "message" USING btree ("patient_id","changed_at_s");--> statement-breakpoint
CREATE INDEX "message_waiting" ON "message" USING btree ("state","changed_at_s");--> statement-breakpoint
CREATE INDEX "message_entry_message" ON "message_entry" USING btree ("message_id","at_s");--> statement-breakpoint
CREATE INDEX "message_file_entry" ON "message_file" USING btree ("entry_id","slot");--> statement-breakpoint
CREATE INDEX "message_version_entry" ON "message_version" USING btree ("entry_id","version");--> statement-breakpoint
CREATE INDEX "problem_report_unread" ON "problem_report" USING btree ("is_read","at_s");--> statement-breakpoint
CREATE INDEX "stored_file_patient" ON "stored_file" USING btree ("patient_id","purpose");--> statement-breakpoint
-- R-36: what was agreed to is only ever added to.
CREATE FUNCTION "append_only_refuse"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The table % is append-only', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER "agreement_append_only" BEFORE UPDATE OR DELETE ON "agreement" FOR EACH ROW
  EXECUTE FUNCTION "append_only_refuse"();
