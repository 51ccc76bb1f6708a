-- Gives what the sixteen migrations before made the names that the baseline gives it. It stands in the
-- journal at the baseline's own time, so that the baseline is not run again.
ALTER TABLE "claim" RENAME TO "appointment";--> statement-breakpoint
ALTER TABLE "slot_cell" RENAME TO "appointment_step";--> statement-breakpoint
ALTER TABLE "records_chart" RENAME TO "patient_record";--> statement-breakpoint
ALTER TABLE "appointment" RENAME COLUMN "chart_id" TO "record_id";--> statement-breakpoint
ALTER TABLE "appointment_step" RENAME COLUMN "cell_start_s" TO "step_start_s";--> statement-breakpoint
ALTER TABLE "appointment_step" RENAME COLUMN "claim_id" TO "appointment_id";--> statement-breakpoint
ALTER TABLE "patient" RENAME COLUMN "chart_id" TO "record_id";--> statement-breakpoint
ALTER TABLE "payment" RENAME COLUMN "claim_id" TO "appointment_id";--> statement-breakpoint
ALTER TABLE "appointment" RENAME CONSTRAINT "claim_pkey" TO "appointment_pkey";--> statement-breakpoint
ALTER TABLE "appointment" RENAME CONSTRAINT "claim_state" TO "appointment_state";--> statement-breakpoint
ALTER TABLE "appointment" RENAME CONSTRAINT "claim_span" TO "appointment_span";--> statement-breakpoint
ALTER TABLE "appointment" RENAME CONSTRAINT "claim_hold_ends" TO "appointment_hold_ends";--> statement-breakpoint
ALTER TABLE "appointment" RENAME CONSTRAINT "claim_paid" TO "appointment_paid";--> statement-breakpoint
ALTER TABLE "appointment" RENAME CONSTRAINT "claim_no_overlap" TO "appointment_no_overlap";--> statement-breakpoint
ALTER TABLE "appointment_step" RENAME CONSTRAINT "slot_cell_provider_id_cell_start_s_pk" TO "appointment_step_provider_id_step_start_s_pk";--> statement-breakpoint
ALTER TABLE "appointment_step" RENAME CONSTRAINT "slot_cell_grid" TO "appointment_step_grid";--> statement-breakpoint
ALTER TABLE "patient_record" RENAME CONSTRAINT "records_chart_pkey" TO "patient_record_pkey";--> statement-breakpoint
ALTER TABLE "schedule_day" RENAME CONSTRAINT "schedule_day_cells" TO "schedule_day_steps";--> statement-breakpoint
-- From PostgreSQL 18 on, NOT NULL is a constraint with a name, too.
DO $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT c.conrelid::regclass AS "table", c.conname AS "name",
           format('%s_%s_not_null', t.relname, a.attname) AS "wanted"
      FROM pg_constraint c
      JOIN pg_class t ON t.oid = c.conrelid
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'n' AND t.relname IN ('appointment', 'appointment_step', 'patient_record', 'patient', 'payment')
  LOOP
    IF each."name" <> each."wanted" THEN
      EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', each."table", each."name", each."wanted");
    END IF;
  END LOOP;
END $$;--> statement-breakpoint
ALTER INDEX "claim_one_hold" RENAME TO "appointment_one_hold";--> statement-breakpoint
ALTER INDEX "claim_once_a_day" RENAME TO "appointment_once_a_day";--> statement-breakpoint
ALTER INDEX "claim_moved_once" RENAME TO "appointment_moved_once";--> statement-breakpoint
ALTER INDEX "claim_request" RENAME TO "appointment_request";--> statement-breakpoint
ALTER INDEX "claim_patient" RENAME TO "appointment_patient";--> statement-breakpoint
ALTER INDEX "claim_changed" RENAME TO "appointment_changed";--> statement-breakpoint
ALTER INDEX "claim_paid_ended" RENAME TO "appointment_paid_ended";--> statement-breakpoint
ALTER INDEX "claim_hold_expiry" RENAME TO "appointment_hold_expiry";--> statement-breakpoint
ALTER INDEX "slot_cell_time" RENAME TO "appointment_step_time";--> statement-breakpoint
ALTER INDEX "slot_cell_claim" RENAME TO "appointment_step_appointment";--> statement-breakpoint
ALTER INDEX "records_chart_card" RENAME TO "patient_record_card";--> statement-breakpoint
ALTER INDEX "patient_chart" RENAME TO "patient_record_number";--> statement-breakpoint
ALTER INDEX "payment_claim" RENAME TO "payment_appointment";--> statement-breakpoint
ALTER TRIGGER "claim_final_states" ON "appointment" RENAME TO "appointment_final_states";--> statement-breakpoint
ALTER TRIGGER "claim_changes_schedule" ON "appointment" RENAME TO "appointment_changes_schedule";--> statement-breakpoint
ALTER TRIGGER "claim_deleted" ON "appointment" RENAME TO "appointment_deleted";--> statement-breakpoint
ALTER FUNCTION "claim_note_change"() RENAME TO "appointment_note_change";--> statement-breakpoint
ALTER FUNCTION "claim_refuse_return"() RENAME TO "appointment_refuse_return";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "appointment_refuse_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'An appointment never leaves the state %', OLD.state;
END $$;--> statement-breakpoint
-- Emails that were not sent yet are sent by the service of today, which knows them by these names.
UPDATE "outbox" SET "kind" = 'appointment-email', "payload" = "payload" - 'claimId' || jsonb_build_object('appointmentId', "payload" -> 'claimId') WHERE "kind" = 'visit-letter';--> statement-breakpoint
UPDATE "outbox" SET "kind" = 'account-email', "payload" = "payload" - 'letter' || jsonb_build_object('email', "payload" -> 'letter') WHERE "kind" = 'account-letter';--> statement-breakpoint
UPDATE "outbox" SET "kind" = 'message-email' WHERE "kind" = 'message-letter';--> statement-breakpoint
UPDATE "outbox" SET "kind" = 'refund-email' WHERE "kind" = 'refund-letter';
