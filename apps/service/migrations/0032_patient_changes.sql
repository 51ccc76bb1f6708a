CREATE TABLE "patient_change" (
	"patient_id" uuid NOT NULL,
	"event" text NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"changed_at_s" bigint DEFAULT extract(epoch from clock_timestamp())::bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "patient_change_xid" ON "patient_change" USING btree ("changed_xid");--> statement-breakpoint
-- Of a table with a patient_id.
CREATE FUNCTION "patient_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.patient_id IS NOT NULL THEN
    INSERT INTO patient_change (patient_id, event) VALUES (NEW.patient_id, TG_ARGV[0]);
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.patient_id IS NOT NULL AND OLD.patient_id IS DISTINCT FROM NEW.patient_id THEN
    INSERT INTO patient_change (patient_id, event) VALUES (OLD.patient_id, TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "appointment_tells_patient" AFTER INSERT OR UPDATE ON "appointment"
  FOR EACH ROW EXECUTE FUNCTION "patient_note_change"('appointments');--> statement-breakpoint
CREATE TRIGGER "payment_begun_tells_patient" AFTER INSERT ON "payment"
  FOR EACH ROW EXECUTE FUNCTION "patient_note_change"('appointments');--> statement-breakpoint
-- Leases, tries and rounds are nothing that a patient is shown.
CREATE TRIGGER "payment_tells_patient" AFTER UPDATE ON "payment" FOR EACH ROW
  WHEN ((OLD.state, OLD.amount_cents, OLD.appointment_id, OLD.patient_id, OLD.reference, OLD.decline_message, OLD.refund_reason)
    IS DISTINCT FROM (NEW.state, NEW.amount_cents, NEW.appointment_id, NEW.patient_id, NEW.reference, NEW.decline_message, NEW.refund_reason))
  EXECUTE FUNCTION "patient_note_change"('appointments');--> statement-breakpoint
CREATE TRIGGER "message_tells_patient" AFTER INSERT OR UPDATE OF "state", "changed_at_s", "unread" ON "message"
  FOR EACH ROW EXECUTE FUNCTION "patient_note_change"('messages');--> statement-breakpoint
CREATE TRIGGER "stored_file_tells_patient" AFTER INSERT OR UPDATE ON "stored_file" FOR EACH ROW
  WHEN (NEW.purpose <> 'message') EXECUTE FUNCTION "patient_note_change"('account');--> statement-breakpoint
CREATE TRIGGER "medical_profile_tells_patient" AFTER INSERT OR UPDATE ON "medical_profile"
  FOR EACH ROW EXECUTE FUNCTION "patient_note_change"('account');--> statement-breakpoint
CREATE TRIGGER "session_begun_tells_patient" AFTER INSERT ON "session"
  FOR EACH ROW EXECUTE FUNCTION "patient_note_change"('account');--> statement-breakpoint
CREATE TRIGGER "session_tells_patient" AFTER UPDATE ON "session" FOR EACH ROW
  WHEN (OLD.revoked_at_s IS DISTINCT FROM NEW.revoked_at_s)
  EXECUTE FUNCTION "patient_note_change"('account');--> statement-breakpoint
CREATE FUNCTION "account_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO patient_change (patient_id, event) VALUES (NEW.id, 'account');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "patient_tells_patient" AFTER UPDATE ON "patient" FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION "account_note_change"();--> statement-breakpoint
-- An edit within the second of the text changes nothing that stands in its message.
CREATE FUNCTION "message_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO patient_change (patient_id, event)
    SELECT patient_id, 'messages' FROM message WHERE id = NEW.message_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "message_entry_tells_patient" AFTER INSERT OR UPDATE OF "edited_at_s" ON "message_entry"
  FOR EACH ROW EXECUTE FUNCTION "message_note_change"();--> statement-breakpoint
-- Of a patient's record: the argument is the column with its number.
CREATE FUNCTION "record_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO patient_change (patient_id, event)
    SELECT id, ''account'' FROM patient WHERE closed_at_s IS NULL AND record_id = ($1).%I', TG_ARGV[0]) USING NEW;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "patient_record_tells_patient" AFTER INSERT OR UPDATE ON "patient_record"
  FOR EACH ROW EXECUTE FUNCTION "record_note_change"('id');--> statement-breakpoint
CREATE TRIGGER "emr_record_tells_patient" AFTER INSERT OR UPDATE ON "emr_record"
  FOR EACH ROW EXECUTE FUNCTION "record_note_change"('record_id');
