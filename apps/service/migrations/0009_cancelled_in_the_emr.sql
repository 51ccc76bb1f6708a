ALTER TABLE "appointment" ADD COLUMN "cancel_asked_at_s" bigint;--> statement-breakpoint
CREATE INDEX "appointment_cancel_asked" ON "appointment" USING btree ("cancel_asked_at_s") WHERE cancel_asked_at_s is not null;--> statement-breakpoint
-- What an EMR has let go of is free again: ready schedules and open grids hear of it.
DROP TRIGGER "appointment_changes_schedule" ON "appointment";--> statement-breakpoint
CREATE TRIGGER "appointment_changes_schedule"
  BEFORE UPDATE OF "state", "provider_id", "start_s", "end_s", "hold_expires_at_s", "confirming", "paying", "cancel_asked_at_s"
  ON "appointment" FOR EACH ROW EXECUTE FUNCTION "appointment_note_change"();
