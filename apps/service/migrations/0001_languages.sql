ALTER TABLE "agreement" ADD COLUMN "locale" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "agreement" ADD COLUMN "shown_hash" text;--> statement-breakpoint
ALTER TABLE "patient" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_sign_up" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "pending_sign_up" ADD COLUMN "consent_shown_hash" text;