CREATE TABLE "busy_span" (
	"id" uuid PRIMARY KEY NOT NULL,
	"source_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"clinic_date" date NOT NULL,
	"start_s" bigint NOT NULL,
	"end_s" bigint NOT NULL,
	"stands" boolean DEFAULT true NOT NULL,
	"lacks_steps" boolean DEFAULT false NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "busy_span_steps" CHECK (end_s > start_s and start_s % 300 = 0 and end_s % 300 = 0)
);
--> statement-breakpoint
ALTER TABLE "schedule_day" ADD COLUMN "fetched_at_s" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "busy_span_source" ON "busy_span" USING btree ("source_id") WHERE stands;--> statement-breakpoint
CREATE INDEX "busy_span_changed" ON "busy_span" USING btree ("changed_xid");--> statement-breakpoint
-- Ready schedules and open grids hear of the days and steps that a span takes and leaves.
CREATE TRIGGER "busy_span_changes_schedule"
  BEFORE UPDATE OF "stands" ON "busy_span" FOR EACH ROW EXECUTE FUNCTION "appointment_note_change"();--> statement-breakpoint
-- That an EMR says again what it said before changes no schedule.
DROP TRIGGER "schedule_day_changed" ON "schedule_day";--> statement-breakpoint
CREATE TRIGGER "schedule_day_changed" AFTER INSERT OR DELETE OR UPDATE OF "codes" ON "schedule_day"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();
