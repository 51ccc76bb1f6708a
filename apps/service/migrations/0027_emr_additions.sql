CREATE TABLE "emr_addition" (
	"key" text PRIMARY KEY NOT NULL,
	"asked_at_s" bigint NOT NULL,
	"outcome" text,
	CONSTRAINT "emr_addition_outcome" CHECK (outcome in ('added', 'unknown', 'refused'))
);
