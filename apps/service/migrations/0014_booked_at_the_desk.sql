ALTER TABLE "appointment" ADD COLUMN "fee_at_clinic" jsonb;--> statement-breakpoint
ALTER TABLE "appointment" ADD COLUMN "booked_by" uuid;--> statement-breakpoint
ALTER TABLE "appointment" ADD COLUMN "beyond_limits" boolean DEFAULT false NOT NULL;