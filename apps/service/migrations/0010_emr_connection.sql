CREATE TABLE "emr_connection" (
	"id" text PRIMARY KEY NOT NULL,
	"credentials_sealed" "bytea" NOT NULL,
	"connected_at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "emr_record" (
	"record_id" text PRIMARY KEY NOT NULL,
	"emr_id" text,
	"asked_at_s" bigint NOT NULL
);
