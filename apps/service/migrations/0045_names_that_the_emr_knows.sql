CREATE TABLE "emr_name" (
	"kind" text NOT NULL,
	"provider_id" text NOT NULL,
	"name" text NOT NULL,
	"entries" integer NOT NULL,
	CONSTRAINT "emr_name_kind_provider_id_name_pk" PRIMARY KEY("kind","provider_id","name"),
	CONSTRAINT "emr_name_kind" CHECK (kind in ('type', 'location'))
);
--> statement-breakpoint
ALTER TABLE "slot_code" ADD COLUMN "bound" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "emr_name" text;--> statement-breakpoint
ALTER TABLE "provider_policy" ADD COLUMN "location" text;--> statement-breakpoint
-- Whether an EMR has sites decides who is offered, and so the ready schedules.
CREATE TRIGGER "emr_name_changed" AFTER INSERT OR UPDATE OR DELETE ON "emr_name"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
-- A clinic that imported codes has said what they serve; the codes of a new clinic are presets.
UPDATE "slot_code" SET "bound" = true
 WHERE EXISTS (SELECT FROM "audit" WHERE "subject" = 'import:codes' AND "action" = 'imported');
