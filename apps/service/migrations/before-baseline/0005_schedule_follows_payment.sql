-- A hold that stops being confirmed or paid for may lapse again: ready schedules must learn it.
DROP TRIGGER "claim_changes_schedule" ON "claim";--> statement-breakpoint
CREATE TRIGGER "claim_changes_schedule"
  BEFORE UPDATE OF "state", "provider_id", "start_s", "end_s", "hold_expires_at_s", "confirming", "paying"
  ON "claim" FOR EACH ROW EXECUTE FUNCTION "claim_note_change"();
