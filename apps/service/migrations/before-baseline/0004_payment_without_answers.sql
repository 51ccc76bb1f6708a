ALTER TABLE "payment" DROP COLUMN "request_key";--> statement-breakpoint
ALTER TABLE "payment" DROP COLUMN "answers_sealed";