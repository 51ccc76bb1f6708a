CREATE TABLE "emr_unclear_record" (
	"record_id" text PRIMARY KEY NOT NULL,
	"at_s" bigint NOT NULL,
	"apart" text[] DEFAULT '{}' NOT NULL,
	"decided_at_s" bigint
);
