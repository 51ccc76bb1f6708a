CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
CREATE TABLE "appointment_type" (
	"code" text PRIMARY KEY NOT NULL,
	"description" text NOT NULL,
	"position" integer NOT NULL,
	"enforce_mrp" boolean NOT NULL,
	"enforce_no_pcp" boolean NOT NULL,
	"requires_documents" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at_s" bigint NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"details" jsonb NOT NULL,
	"mac" "bytea" NOT NULL,
	"chain" "bytea"
);
--> statement-breakpoint
CREATE TABLE "claim" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid,
	"chart_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"start_s" bigint NOT NULL,
	"end_s" bigint NOT NULL,
	"clinic_date" date NOT NULL,
	"type" text NOT NULL,
	"state" text NOT NULL,
	"once_a_day" boolean DEFAULT false NOT NULL,
	"hold_expires_at_s" bigint,
	"hold_placed_at_s" bigint,
	"rescheduled_from" uuid,
	"request_key" text,
	"booking_number" text,
	"answers_sealed" "bytea",
	"paid_cents" integer DEFAULT 0 NOT NULL,
	"is_reschedulable" boolean DEFAULT true NOT NULL,
	"is_cancellable" boolean DEFAULT true NOT NULL,
	"checkin" text,
	"ticklers" text[] DEFAULT '{}'::text[] NOT NULL,
	"sequence" integer DEFAULT 0 NOT NULL,
	"created_at_s" bigint NOT NULL,
	"changed_at_s" bigint NOT NULL,
	CONSTRAINT "claim_state" CHECK (state in ('held', 'booked', 'registered', 'released', 'cancelled', 'rescheduled', 'no-show', 'completed')),
	CONSTRAINT "claim_span" CHECK (end_s > start_s and start_s % 300 = 0 and end_s % 300 = 0),
	CONSTRAINT "claim_hold_ends" CHECK (state <> 'held' or hold_expires_at_s is not null),
	CONSTRAINT "claim_paid" CHECK (paid_cents >= 0)
);
--> statement-breakpoint
CREATE TABLE "fee_policy" (
	"type" text NOT NULL,
	"eligibility" text NOT NULL,
	"valid_from" date NOT NULL,
	"charge_cents" integer NOT NULL,
	"notice" text,
	CONSTRAINT "fee_policy_type_eligibility_valid_from_pk" PRIMARY KEY("type","eligibility","valid_from"),
	CONSTRAINT "fee_policy_charge" CHECK (charge_cents >= 0),
	CONSTRAINT "fee_policy_eligibility" CHECK (eligibility in ('E', 'NR', 'R', 'NE'))
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"key" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"payload" jsonb NOT NULL,
	"due_at_s" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"done_at_s" bigint
);
--> statement-breakpoint
CREATE TABLE "patient" (
	"id" uuid PRIMARY KEY NOT NULL,
	"role" text DEFAULT 'patient' NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"email_confirmed" boolean NOT NULL,
	"chart_id" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"sex" text NOT NULL,
	"birth_date" date NOT NULL,
	"address" text NOT NULL,
	"city" text NOT NULL,
	"province" text NOT NULL,
	"postal" text NOT NULL,
	"country" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"mobile_phone" text DEFAULT '' NOT NULL,
	"international_phone" text DEFAULT '' NOT NULL,
	"card_province" text NOT NULL,
	"card_sealed" "bytea",
	"card_index" "bytea",
	"preferred_pharmacy_id" text,
	"eligibility" text NOT NULL,
	"family_doctor" boolean DEFAULT false NOT NULL,
	"should_update" boolean DEFAULT false NOT NULL,
	"is_changed" boolean DEFAULT false NOT NULL,
	"blocked" boolean DEFAULT false NOT NULL,
	"booking_blocked" boolean DEFAULT false NOT NULL,
	"visibility" text[] DEFAULT '{appointment}'::text[] NOT NULL,
	"blocked_providers" text[] DEFAULT '{}'::text[] NOT NULL,
	"disabled_types" text[] DEFAULT '{}'::text[] NOT NULL,
	"health_card_uploaded" boolean DEFAULT false NOT NULL,
	"picture_id_uploaded" boolean DEFAULT false NOT NULL,
	"created_at_s" bigint NOT NULL,
	CONSTRAINT "patient_role" CHECK (role in ('patient', 'staff')),
	CONSTRAINT "patient_eligibility" CHECK (eligibility in ('E', 'NR', 'R', 'NE'))
);
--> statement-breakpoint
CREATE TABLE "provider_policy" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"disabled" boolean DEFAULT false NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"family_only" boolean DEFAULT false NOT NULL,
	"no_pcp" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_window" (
	"rule" text NOT NULL,
	"subject" "bytea" NOT NULL,
	"window_start_s" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "rate_window_rule_subject_window_start_s_pk" PRIMARY KEY("rule","subject","window_start_s")
);
--> statement-breakpoint
CREATE TABLE "records_chart" (
	"id" text PRIMARY KEY NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"birth_date" date NOT NULL,
	"provider_id" text,
	"card_province" text NOT NULL,
	"card_sealed" "bytea",
	"card_index" "bytea"
);
--> statement-breakpoint
CREATE TABLE "records_exception" (
	"provider_id" text NOT NULL,
	"clinic_date" date NOT NULL,
	"codes" text NOT NULL,
	CONSTRAINT "records_exception_provider_id_clinic_date_pk" PRIMARY KEY("provider_id","clinic_date")
);
--> statement-breakpoint
CREATE TABLE "records_provider" (
	"id" text PRIMARY KEY NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"status" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "records_template" (
	"provider_id" text NOT NULL,
	"weekday" integer NOT NULL,
	"valid_from" date NOT NULL,
	"codes" text NOT NULL,
	CONSTRAINT "records_template_provider_id_weekday_valid_from_pk" PRIMARY KEY("provider_id","weekday","valid_from")
);
--> statement-breakpoint
CREATE TABLE "schedule_day" (
	"clinic_date" date NOT NULL,
	"provider_id" text NOT NULL,
	"codes" text NOT NULL,
	CONSTRAINT "schedule_day_clinic_date_provider_id_pk" PRIMARY KEY("clinic_date","provider_id"),
	CONSTRAINT "schedule_day_cells" CHECK (length(codes) = 288)
);
--> statement-breakpoint
CREATE TABLE "session" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"created_at_s" bigint NOT NULL,
	"last_active_at_s" bigint NOT NULL,
	"revoked_at_s" bigint
);
--> statement-breakpoint
CREATE TABLE "slot_cell" (
	"provider_id" text NOT NULL,
	"cell_start_s" bigint NOT NULL,
	"claim_id" uuid NOT NULL,
	CONSTRAINT "slot_cell_provider_id_cell_start_s_pk" PRIMARY KEY("provider_id","cell_start_s"),
	CONSTRAINT "slot_cell_grid" CHECK (cell_start_s % 300 = 0)
);
--> statement-breakpoint
CREATE TABLE "spent_proof" (
	"proof_hash" "bytea" PRIMARY KEY NOT NULL,
	"expires_at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "claim_one_hold" ON "claim" USING btree ("patient_id") WHERE state = 'held';--> statement-breakpoint
CREATE UNIQUE INDEX "claim_once_a_day" ON "claim" USING btree ("patient_id","clinic_date") WHERE once_a_day and state in ('booked', 'registered') and rescheduled_from is null;--> statement-breakpoint
CREATE UNIQUE INDEX "claim_moved_once" ON "claim" USING btree ("rescheduled_from") WHERE state in ('held', 'booked', 'registered');--> statement-breakpoint
CREATE UNIQUE INDEX "claim_request" ON "claim" USING btree ("patient_id","request_key");--> statement-breakpoint
CREATE INDEX "claim_patient" ON "claim" USING btree ("patient_id","start_s");--> statement-breakpoint
CREATE INDEX "claim_hold_expiry" ON "claim" USING btree ("hold_expires_at_s") WHERE state = 'held';--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at_s") WHERE done_at_s is null;--> statement-breakpoint
CREATE UNIQUE INDEX "patient_email" ON "patient" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "patient_card" ON "patient" USING btree ("card_province","card_index");--> statement-breakpoint
CREATE UNIQUE INDEX "patient_chart" ON "patient" USING btree ("chart_id");--> statement-breakpoint
CREATE INDEX "rate_window_start" ON "rate_window" USING btree ("window_start_s");--> statement-breakpoint
CREATE INDEX "records_chart_card" ON "records_chart" USING btree ("card_index");--> statement-breakpoint
CREATE INDEX "session_patient" ON "session" USING btree ("patient_id");--> statement-breakpoint
CREATE INDEX "slot_cell_time" ON "slot_cell" USING btree ("cell_start_s","provider_id");--> statement-breakpoint
CREATE INDEX "slot_cell_claim" ON "slot_cell" USING btree ("claim_id");--> statement-breakpoint
-- The proof that no two active claims overlap; slot_cell is the queue in front of it.
ALTER TABLE "claim" ADD CONSTRAINT "claim_no_overlap" EXCLUDE USING gist ("provider_id" WITH =, int8range("start_s", "end_s") WITH &&) WHERE ("state" IN ('held', 'booked', 'registered'));--> statement-breakpoint
-- Nothing leaves released, cancelled or rescheduled.
CREATE FUNCTION "claim_refuse_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A claim never leaves the state %', OLD.state;
END $$;--> statement-breakpoint
CREATE TRIGGER "claim_final_states" BEFORE UPDATE OF "state" ON "claim" FOR EACH ROW
  WHEN (OLD.state IN ('released', 'cancelled', 'rescheduled') AND NEW.state IS DISTINCT FROM OLD.state)
  EXECUTE FUNCTION "claim_refuse_return"();--> statement-breakpoint
-- S-14: rows are only added; the sealer may fill an empty chain, and nothing else changes.
CREATE FUNCTION "audit_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.chain IS NULL AND NEW.chain IS NOT NULL
    AND (NEW.id, NEW.at_s, NEW.actor, NEW.action, NEW.subject, NEW.details, NEW.mac)
      IS NOT DISTINCT FROM (OLD.id, OLD.at_s, OLD.actor, OLD.action, OLD.subject, OLD.details, OLD.mac)
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'The audit trail is append-only';
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_append_only" BEFORE UPDATE OR DELETE ON "audit" FOR EACH ROW
  EXECUTE FUNCTION "audit_refuse_change"();--> statement-breakpoint
CREATE TRIGGER "audit_not_emptied" BEFORE TRUNCATE ON "audit" FOR EACH STATEMENT
  EXECUTE FUNCTION "audit_refuse_change"();
