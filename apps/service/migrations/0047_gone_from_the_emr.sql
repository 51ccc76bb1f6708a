CREATE TABLE "emr_gone" (
	"appointment_id" uuid PRIMARY KEY NOT NULL,
	"provider_id" text NOT NULL,
	"start_s" bigint NOT NULL,
	"gone_at_s" bigint NOT NULL,
	"listed_at_s" bigint,
	"kept_at_s" bigint,
	"kept_by" uuid
);
