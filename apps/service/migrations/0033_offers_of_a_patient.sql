-- What the clinic offers a patient also decides whether their appointments may be moved.
CREATE OR REPLACE FUNCTION "account_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO patient_change (patient_id, event) VALUES (NEW.id, coalesce(TG_ARGV[0], 'account'));
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "patient_offer_tells_patient" AFTER UPDATE ON "patient" FOR EACH ROW
  WHEN ((OLD.blocked, OLD.booking_blocked, OLD.eligibility, OLD.disabled_types, OLD.blocked_providers)
    IS DISTINCT FROM (NEW.blocked, NEW.booking_blocked, NEW.eligibility, NEW.disabled_types, NEW.blocked_providers))
  EXECUTE FUNCTION "account_note_change"('appointments');
