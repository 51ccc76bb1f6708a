CREATE TABLE "pending_sign_up" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"sex" text NOT NULL,
	"birth_date" date NOT NULL,
	"address" text NOT NULL,
	"city" text NOT NULL,
	"province" text NOT NULL,
	"postal" text NOT NULL,
	"country" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"mobile_phone" text DEFAULT '' NOT NULL,
	"international_phone" text DEFAULT '' NOT NULL,
	"card_province" text NOT NULL,
	"card_sealed" "bytea",
	"card_index" "bytea",
	"preferred_pharmacy_id" text,
	"created_at_s" bigint NOT NULL,
	"consent_version" text,
	"consent_hash" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at_s" bigint
);
--> statement-breakpoint
-- R-97: who had signed up and not confirmed yet had an account; it becomes a form that waits without
-- end, as the account did, under the same id, so that links that were mailed still lead to it. What
-- the clinic has blocked or closed stays as it is.
INSERT INTO "pending_sign_up" ("id", "email", "password_hash", "first_name", "last_name", "sex", "birth_date", "address", "city",
  "province", "postal", "country", "phone", "mobile_phone", "international_phone", "card_province",
  "card_sealed", "card_index", "preferred_pharmacy_id", "created_at_s")
SELECT "id", "email", "password_hash", "first_name", "last_name", "sex", "birth_date", "address", "city",
  "province", "postal", "country", "phone", "mobile_phone", "international_phone", "card_province",
  "card_sealed", "card_index", "preferred_pharmacy_id", "created_at_s"
  FROM "patient"
 WHERE NOT "email_confirmed" AND NOT "blocked" AND "closed_at_s" IS NULL AND "role" = 'patient';
--> statement-breakpoint
DELETE FROM "patient"
 WHERE NOT "email_confirmed" AND NOT "blocked" AND "closed_at_s" IS NULL AND "role" = 'patient';
--> statement-breakpoint
DROP INDEX "patient_card";--> statement-breakpoint
DROP INDEX "patient_chart";--> statement-breakpoint
CREATE INDEX "pending_sign_up_email" ON "pending_sign_up" USING btree ("email");--> statement-breakpoint
CREATE INDEX "pending_sign_up_expiry" ON "pending_sign_up" USING btree ("expires_at_s");--> statement-breakpoint
CREATE UNIQUE INDEX "patient_card" ON "patient" USING btree ("card_province","card_index") WHERE closed_at_s is null;--> statement-breakpoint
CREATE UNIQUE INDEX "patient_chart" ON "patient" USING btree ("chart_id") WHERE closed_at_s is null;--> statement-breakpoint
ALTER TABLE "patient" DROP COLUMN "email_confirmed";