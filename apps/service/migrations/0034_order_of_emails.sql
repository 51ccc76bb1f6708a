ALTER TABLE "outbox" ADD COLUMN "position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "outbox_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "lease_until_s" bigint;--> statement-breakpoint
-- What a row is about. An appointment is one subject wherever it is moved, with the refund of its fee. Null for
-- a row that stands alone, such as a request to the EMR.
CREATE FUNCTION "outbox_subject"("kind" text, "payload" jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  named uuid;
  found_text text;
BEGIN
  named := (SELECT each::uuid
    FROM (VALUES (payload->>'appointmentId'), (payload->>'paymentId'), (payload->>'linkId'), (payload->>'messageId'),
                 (payload->>'invitationId'), (payload->>'staffId'), (payload->>'patientId')) AS ids (each)
   WHERE each ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' LIMIT 1);
  IF kind = 'refund-email' THEN
    named := coalesce((SELECT p.appointment_id FROM payment p WHERE p.id = named), named);
  END IF;
  CASE
    WHEN named IS NULL THEN RETURN NULL;
    WHEN kind IN ('appointment-email', 'refund-email') THEN
      WITH RECURSIVE back AS (
        SELECT a.id, a.rescheduled_from, 0 AS moves FROM appointment a WHERE a.id = named
        UNION ALL
        SELECT a.id, a.rescheduled_from, moves + 1 FROM appointment a JOIN back ON a.id = back.rescheduled_from)
      SELECT coalesce(rescheduled_from, id)::text INTO found_text FROM back ORDER BY moves DESC LIMIT 1;
      RETURN 'appointment:' || coalesce(found_text, named::text);
    WHEN kind = 'message-email' THEN RETURN 'message:' || named;
    WHEN kind = 'account-link' THEN
      RETURN 'link:' || coalesce((SELECT l.record_id FROM account_link l WHERE l.id = named), named::text);
    WHEN kind = 'staff-email' THEN
      RETURN 'staff:' || coalesce((SELECT i.staff_id FROM staff_invitation i WHERE i.id = named), named);
    WHEN kind = 'account-email' THEN
      RETURN concat_ws(':', 'account', payload->>'patientId', payload->>'email', payload->>'documentId');
    ELSE RETURN NULL;
  END CASE;
END $$;--> statement-breakpoint
CREATE FUNCTION "outbox_note_subject"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.subject := outbox_subject(NEW.kind, NEW.payload);
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "outbox_has_subject" BEFORE INSERT ON "outbox" FOR EACH ROW
  WHEN (NEW.subject IS NULL) EXECUTE FUNCTION "outbox_note_subject"();--> statement-breakpoint
-- 0.2.0 takes a row by `due_at_s` alone.
CREATE FUNCTION "outbox_note_lease"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.lease_until_s := NEW.due_at_s;
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "outbox_has_lease" BEFORE UPDATE OF "attempts" ON "outbox" FOR EACH ROW
  WHEN (NEW.attempts > OLD.attempts AND NEW.lease_until_s IS NOT DISTINCT FROM OLD.lease_until_s)
  EXECUTE FUNCTION "outbox_note_lease"();--> statement-breakpoint
UPDATE "outbox" SET "subject" = outbox_subject(kind, payload) WHERE done_at_s IS NULL;
