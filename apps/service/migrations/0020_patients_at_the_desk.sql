CREATE TABLE "account_link" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"patient_id" uuid,
	"record_id" text NOT NULL,
	"email" text NOT NULL,
	"token_hash" "bytea",
	"tries" integer DEFAULT 0 NOT NULL,
	"created_at_s" bigint NOT NULL,
	"expires_at_s" bigint NOT NULL,
	"used_at_s" bigint,
	CONSTRAINT "account_link_kind" CHECK (kind in ('email', 'invitation')),
	CONSTRAINT "account_link_patient" CHECK ((kind = 'email') = (patient_id is not null))
);
--> statement-breakpoint
CREATE INDEX "account_link_token" ON "account_link" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "account_link_record" ON "account_link" USING btree ("record_id");