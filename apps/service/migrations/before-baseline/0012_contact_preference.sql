ALTER TABLE "claim" ADD COLUMN "contact_preference" text;--> statement-breakpoint
UPDATE "claim" SET "paid_cents" = 0, "ticklers" = '{}' WHERE "state" = 'rescheduled' AND ("paid_cents" > 0 OR cardinality("ticklers") > 0);
