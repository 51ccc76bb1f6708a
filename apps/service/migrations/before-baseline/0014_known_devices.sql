CREATE TABLE "known_device" (
	"patient_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"signed_in_at_s" bigint NOT NULL,
	CONSTRAINT "known_device_patient_id_token_hash_pk" PRIMARY KEY("patient_id","token_hash")
);
--> statement-breakpoint
CREATE INDEX "known_device_signed_in" ON "known_device" USING btree ("signed_in_at_s");