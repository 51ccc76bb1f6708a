-- A hold that stops being confirmed or paid for may lapse again: ready schedules must learn it.
DROP TRIGGER "appointment_changes_schedule" ON "appointment";--> statement-breakpoint
CREATE TRIGGER "appointment_changes_schedule"
  BEFORE UPDATE OF "state", "provider_id", "start_s", "end_s", "hold_expires_at_s", "confirming", "paying"
  ON "appointment" FOR EACH ROW EXECUTE FUNCTION "appointment_note_change"();
