CREATE TABLE "record_merge" (
	"id" uuid PRIMARY KEY NOT NULL,
	"record_id" text NOT NULL,
	"into_record_id" text NOT NULL,
	"appointments" jsonb NOT NULL,
	"at_s" bigint NOT NULL,
	"undone_at_s" bigint
);
--> statement-breakpoint
ALTER TABLE "patient_record" ADD COLUMN "merged_into" text;--> statement-breakpoint
CREATE UNIQUE INDEX "record_merge_once" ON "record_merge" USING btree ("record_id") WHERE undone_at_s is null;--> statement-breakpoint
CREATE INDEX "record_merge_into" ON "record_merge" USING btree ("into_record_id");--> statement-breakpoint
CREATE INDEX "patient_record_merged" ON "patient_record" USING btree ("merged_into") WHERE merged_into is not null;