ALTER TABLE "patient" ADD COLUMN "phone_e164" text;--> statement-breakpoint
ALTER TABLE "patient" ADD COLUMN "mobile_phone_e164" text;--> statement-breakpoint
ALTER TABLE "patient" ADD COLUMN "international_phone_e164" text;--> statement-breakpoint
ALTER TABLE "pending_sign_up" ADD COLUMN "phone_e164" text;--> statement-breakpoint
ALTER TABLE "pending_sign_up" ADD COLUMN "mobile_phone_e164" text;--> statement-breakpoint
ALTER TABLE "pending_sign_up" ADD COLUMN "international_phone_e164" text;