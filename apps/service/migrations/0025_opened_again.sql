ALTER TABLE "closing" ADD COLUMN "before" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "closing" ADD COLUMN "reopened_from_s" bigint;--> statement-breakpoint
ALTER TABLE "closing" ADD COLUMN "reopened_at_s" bigint;--> statement-breakpoint
ALTER TABLE "closing" ADD COLUMN "reopened_by" text;