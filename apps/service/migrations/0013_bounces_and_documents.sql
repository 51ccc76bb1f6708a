ALTER TABLE "patient" ADD COLUMN "bounced_email" text;--> statement-breakpoint
ALTER TABLE "patient" ADD COLUMN "bounced_at_s" bigint;--> statement-breakpoint
ALTER TABLE "patient" ADD COLUMN "bounce_status" text;--> statement-breakpoint
ALTER TABLE "stored_file" ADD COLUMN "decision" text;--> statement-breakpoint
ALTER TABLE "stored_file" ADD COLUMN "decided_at_s" bigint;--> statement-breakpoint
ALTER TABLE "stored_file" ADD COLUMN "decided_by" text;--> statement-breakpoint
ALTER TABLE "stored_file" ADD COLUMN "reason_sealed" "bytea";