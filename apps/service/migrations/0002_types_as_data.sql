ALTER TABLE "appointment_type" ADD COLUMN "minutes" integer DEFAULT 5 NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "start_every" integer;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "mode" text DEFAULT 'inPerson' NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "form" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "instruction" text;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "insured" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "is_private" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "by_nurse_practitioners" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "resets_doctor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "active" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD CONSTRAINT "appointment_type_code" CHECK (code ~ '^[A-Z][A-Z0-9]{0,3}$' and code <> 'A');--> statement-breakpoint
ALTER TABLE "appointment_type" ADD CONSTRAINT "appointment_type_minutes" CHECK (minutes > 0 and minutes % 5 = 0);--> statement-breakpoint
ALTER TABLE "appointment_type" ADD CONSTRAINT "appointment_type_start_every" CHECK (start_every > 0 and start_every % 5 = 0);--> statement-breakpoint
ALTER TABLE "appointment_type" ADD CONSTRAINT "appointment_type_mode" CHECK (mode in ('inPerson', 'phone', 'video'));--> statement-breakpoint
ALTER TABLE "appointment_type" ADD CONSTRAINT "appointment_type_form" CHECK (form in ('standard', 'injuryClaim', 'driverMedical', 'immigration', 'refill'));--> statement-breakpoint
ALTER TABLE "appointment_type" ADD CONSTRAINT "appointment_type_instruction" CHECK (instruction in ('comeToClinic', 'providerWillCall'));--> statement-breakpoint
-- The types of the specification keep the rules that stood on their letters.
UPDATE "appointment_type" SET "insured" = "code" IN ('O', 'P', 'I'),
  "is_private" = "code" IN ('PP', 'V'),
  "by_nurse_practitioners" = "code" IN ('O', 'P'),
  "resets_doctor" = "code" IN ('O', 'P'),
  "mode" = CASE WHEN "code" IN ('P', 'PP') THEN 'phone' ELSE 'inPerson' END,
  "instruction" = CASE WHEN "code" IN ('V', 'D', 'O') THEN 'comeToClinic'
                       WHEN "code" IN ('P', 'PP') THEN 'providerWillCall' END,
  "form" = CASE WHEN "code" = 'I' THEN 'injuryClaim'
                WHEN "code" = 'D' THEN 'driverMedical'
                WHEN "code" IN ('M', 'G') THEN 'immigration'
                WHEN "code" = 'F' THEN 'refill'
                ELSE 'standard' END;
