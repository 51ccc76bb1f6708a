CREATE TABLE "folded_name" (
	"person" text PRIMARY KEY NOT NULL,
	"made_of" text NOT NULL,
	"folded" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "likely_pair" (
	"record_id" text NOT NULL,
	"other_record_id" text NOT NULL,
	"found_at_s" bigint NOT NULL,
	"apart_at_s" bigint,
	CONSTRAINT "likely_pair_record_id_other_record_id_pk" PRIMARY KEY("record_id","other_record_id")
);
--> statement-breakpoint
CREATE INDEX "patient_record_birth_date" ON "patient_record" USING btree ("birth_date");--> statement-breakpoint
CREATE INDEX "patient_birth_date" ON "patient" USING btree ("birth_date");