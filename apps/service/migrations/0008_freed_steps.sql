CREATE INDEX "appointment_placed_by_staff" ON "appointment" USING btree ("end_s") WHERE placed_by_staff;--> statement-breakpoint
-- Ready schedules and open grids also hear of a span that takes a step which has become free.
DROP TRIGGER "busy_span_changes_schedule" ON "busy_span";--> statement-breakpoint
CREATE TRIGGER "busy_span_changes_schedule"
  BEFORE UPDATE OF "stands", "lacks_steps" ON "busy_span" FOR EACH ROW EXECUTE FUNCTION "appointment_note_change"();
