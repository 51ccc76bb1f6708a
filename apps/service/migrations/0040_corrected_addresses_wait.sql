CREATE TABLE "email_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"email" text NOT NULL,
	"email_before" text NOT NULL,
	"is_mailbox_lost" boolean NOT NULL,
	"token_hash" "bytea",
	"begun_at_s" bigint NOT NULL,
	"proven_at_s" bigint,
	"released_at_s" bigint,
	"reminded_at_s" bigint,
	"done_at_s" bigint,
	"over_at_s" bigint,
	"stopped_at_s" bigint,
	"decided_at_s" bigint
);
--> statement-breakpoint
ALTER TABLE "patient" ADD COLUMN "password_reset_at_s" bigint;--> statement-breakpoint
CREATE INDEX "email_change_patient" ON "email_change" USING btree ("patient_id","begun_at_s");--> statement-breakpoint
CREATE INDEX "email_change_token" ON "email_change" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "email_change_waiting" ON "email_change" USING btree ("begun_at_s") WHERE done_at_s is null and over_at_s is null;