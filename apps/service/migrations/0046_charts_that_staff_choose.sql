CREATE TABLE "refused_sign_up" (
	"patient_id" uuid PRIMARY KEY NOT NULL,
	"at_s" bigint NOT NULL,
	"seen_at_s" bigint
);
--> statement-breakpoint
ALTER TABLE "emr_record" ADD COLUMN "earlier" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "emr_unclear_record" ADD COLUMN "why" text;