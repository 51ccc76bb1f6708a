-- Whether a type is offered depends on its fees: what is kept of the schedule holds until they change.
CREATE TRIGGER "fee_policy_changed" AFTER INSERT OR UPDATE OR DELETE ON "fee_policy"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();
