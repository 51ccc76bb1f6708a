CREATE TABLE "slot_code" (
	"code" text PRIMARY KEY NOT NULL,
	"description" text NOT NULL,
	"types" text[] NOT NULL,
	"minutes" integer,
	"release" text DEFAULT 'always' NOT NULL,
	"release_at" text DEFAULT '00:00' NOT NULL,
	CONSTRAINT "slot_code_character" CHECK (length(code) = 1 and code <> '_'),
	CONSTRAINT "slot_code_minutes" CHECK (minutes > 0 and minutes % 5 = 0),
	CONSTRAINT "slot_code_release" CHECK (release in ('always', 'sameWeek', 'sameDay')),
	CONSTRAINT "slot_code_release_at" CHECK (release_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
--> statement-breakpoint
CREATE TABLE "provider_type" (
	"provider_id" text NOT NULL,
	"type" text NOT NULL,
	"offers" boolean DEFAULT true NOT NULL,
	"minutes" integer,
	CONSTRAINT "provider_type_provider_id_type_pk" PRIMARY KEY("provider_id","type"),
	CONSTRAINT "provider_type_minutes" CHECK (minutes > 0 and minutes % 5 = 0)
);
--> statement-breakpoint
-- What is served, how long and by whom, decides the ready schedules too.
CREATE TRIGGER "slot_code_changed" AFTER INSERT OR UPDATE OR DELETE ON "slot_code"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
CREATE TRIGGER "provider_type_changed" AFTER INSERT OR UPDATE OR DELETE ON "provider_type"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
CREATE TRIGGER "appointment_type_changed" AFTER INSERT OR UPDATE OR DELETE ON "appointment_type"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
-- The slot codes of the specification; a clinic's own come by import.
INSERT INTO "slot_code" ("code", "description", "types") VALUES
  ('O', 'In-person visit', '{O}'),
  ('P', 'Phone consultation', '{P}'),
  ('Q', 'Private phone consultation', '{PP}'),
  ('V', 'Private visit', '{V}'),
  ('I', 'ICBC injury claim visit', '{I}'),
  ('D', 'Driver medical', '{D}'),
  ('M', 'Immigration medical exam', '{M}'),
  ('G', 'Immigration medical exam (other)', '{G}'),
  ('A', 'Any', '{PP,V,I,D,M,G}');
