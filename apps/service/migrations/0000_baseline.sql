-- The whole schema. Columns stand in the order in which older databases got them, so that a new
-- database and one that came here step by step are the same.
CREATE EXTENSION IF NOT EXISTS btree_gist;
--> statement-breakpoint
CREATE TABLE "agreement" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"version" text NOT NULL,
	"text_hash" text NOT NULL,
	"at_s" bigint NOT NULL,
	CONSTRAINT "agreement_kind" CHECK (kind in ('feeWarning', 'icbc', 'general', 'signUp'))
);
--> statement-breakpoint
CREATE TABLE "known_device" (
	"patient_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"signed_in_at_s" bigint NOT NULL,
	CONSTRAINT "known_device_patient_id_token_hash_pk" PRIMARY KEY("patient_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "medical_profile" (
	"patient_id" uuid PRIMARY KEY NOT NULL,
	"profile_sealed" "bytea" NOT NULL,
	"changed_at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "one_time_code" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"patient_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"created_at_s" bigint NOT NULL,
	"expires_at_s" bigint NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"used_at_s" bigint,
	"session_hash" "bytea",
	CONSTRAINT "one_time_code_purpose" CHECK (purpose in ('confirm', 'recovery', 'reset', 'dashboard'))
);
--> statement-breakpoint
CREATE TABLE "pharmacy" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"fax" text NOT NULL,
	"phone" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"state" text NOT NULL,
	"started_at_s" bigint NOT NULL,
	"changed_at_s" bigint NOT NULL,
	"unread" boolean DEFAULT false NOT NULL,
	"unread_by_clinic" boolean DEFAULT true NOT NULL,
	CONSTRAINT "message_state" CHECK (state in ('sent', 'replied'))
);
--> statement-breakpoint
CREATE TABLE "message_entry" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"author" text NOT NULL,
	"at_s" bigint NOT NULL,
	"text_sealed" "bytea" NOT NULL,
	"edited_at_s" bigint,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "message_entry_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "message_entry_author" CHECK (author in ('patient', 'clinic'))
);
--> statement-breakpoint
CREATE TABLE "message_file" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL,
	"slot" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "message_version" (
	"id" uuid PRIMARY KEY NOT NULL,
	"entry_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"text_sealed" "bytea" NOT NULL,
	"at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "problem_report" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"message_sealed" "bytea" NOT NULL,
	"screenshot_sealed" "bytea",
	"is_appointment" boolean NOT NULL,
	"is_read" boolean DEFAULT false NOT NULL,
	"at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_file" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"media_type" text NOT NULL,
	"size" integer NOT NULL,
	"name_sealed" "bytea" NOT NULL,
	"key_sealed" "bytea" NOT NULL,
	"content_sealed" "bytea" NOT NULL,
	"created_at_s" bigint NOT NULL,
	CONSTRAINT "stored_file_purpose" CHECK (purpose in ('healthCard', 'pictureId', 'message'))
);
--> statement-breakpoint
CREATE TABLE "gateway_event" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"intent_id" text,
	"received_at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"appointment_id" uuid NOT NULL,
	"amount_cents" integer NOT NULL,
	"state" text NOT NULL,
	"reference" text NOT NULL,
	"intent_id" text,
	"payment_method" text NOT NULL,
	"decline_code" text,
	"decline_message" text,
	"confirm_round" integer DEFAULT 0 NOT NULL,
	"capture_round" integer DEFAULT 0 NOT NULL,
	"cancel_round" integer DEFAULT 0 NOT NULL,
	"refund_round" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"create_called_at_s" bigint,
	"version" integer DEFAULT 0 NOT NULL,
	"lease_owner" uuid,
	"lease_until_s" bigint,
	"due_at_s" bigint,
	"alarm" text,
	"created_at_s" bigint NOT NULL,
	"changed_at_s" bigint NOT NULL,
	"given_up_by_patient" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_event" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "practice_event_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"intent_id" text NOT NULL,
	"created_at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_intent" (
	"id" text PRIMARY KEY NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "practice_intent_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payment" text,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"captured_cents" integer NOT NULL,
	"declined" jsonb,
	"refund" jsonb,
	"created_at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "practice_key" (
	"key" text PRIMARY KEY NOT NULL,
	"request" text NOT NULL,
	"answer" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "appointment" (
	"id" uuid PRIMARY KEY NOT NULL,
	"patient_id" uuid,
	"record_id" text NOT NULL,
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
	"confirming" boolean DEFAULT false NOT NULL,
	"changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"paying" boolean DEFAULT false NOT NULL,
	"contact_preference" text,
	"drafts_until_s" double precision,
	CONSTRAINT "appointment_state" CHECK (state in ('held', 'booked', 'registered', 'released', 'cancelled', 'rescheduled', 'no-show', 'completed')),
	CONSTRAINT "appointment_span" CHECK (end_s > start_s and start_s % 300 = 0 and end_s % 300 = 0),
	CONSTRAINT "appointment_hold_ends" CHECK (state <> 'held' or hold_expires_at_s is not null),
	CONSTRAINT "appointment_paid" CHECK (paid_cents >= 0)
);
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
	"done_at_s" bigint,
	"refusals" integer DEFAULT 0 NOT NULL,
	"failed" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "patient" (
	"id" uuid PRIMARY KEY NOT NULL,
	"role" text DEFAULT 'patient' NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"record_id" text NOT NULL,
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
	"blocked_reason" text,
	"closed_at_s" bigint,
	CONSTRAINT "patient_role" CHECK (role in ('patient', 'staff')),
	CONSTRAINT "patient_eligibility" CHECK (eligibility in ('E', 'NR', 'R', 'NE'))
);
--> statement-breakpoint
CREATE TABLE "pending_sign_up" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
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
	"created_at_s" bigint NOT NULL,
	"consent_version" text,
	"consent_hash" text,
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at_s" bigint
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
CREATE TABLE "patient_record" (
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
	CONSTRAINT "schedule_day_steps" CHECK (length(codes) = 288)
);
--> statement-breakpoint
CREATE TABLE "schedule_version" (
	"id" integer PRIMARY KEY NOT NULL,
	"changed_xid" "xid8" NOT NULL,
	CONSTRAINT "schedule_version_one" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "session" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"patient_id" uuid NOT NULL,
	"created_at_s" bigint NOT NULL,
	"last_active_at_s" bigint NOT NULL,
	"revoked_at_s" bigint,
	"device" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "appointment_step" (
	"provider_id" text NOT NULL,
	"step_start_s" bigint NOT NULL,
	"appointment_id" uuid NOT NULL,
	CONSTRAINT "appointment_step_provider_id_step_start_s_pk" PRIMARY KEY("provider_id","step_start_s"),
	CONSTRAINT "appointment_step_grid" CHECK (step_start_s % 300 = 0)
);
--> statement-breakpoint
CREATE TABLE "spent_proof" (
	"proof_hash" "bytea" PRIMARY KEY NOT NULL,
	"expires_at_s" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "agreement_patient" ON "agreement" USING btree ("patient_id","at_s");--> statement-breakpoint
CREATE INDEX "known_device_signed_in" ON "known_device" USING btree ("signed_in_at_s");--> statement-breakpoint
CREATE INDEX "one_time_code_hash" ON "one_time_code" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "one_time_code_patient" ON "one_time_code" USING btree ("patient_id","purpose");--> statement-breakpoint
CREATE INDEX "one_time_code_expiry" ON "one_time_code" USING btree ("expires_at_s");--> statement-breakpoint
CREATE INDEX "message_patient" ON "message" USING btree ("patient_id","changed_at_s");--> statement-breakpoint
CREATE INDEX "message_waiting" ON "message" USING btree ("state","changed_at_s");--> statement-breakpoint
CREATE INDEX "message_entry_message" ON "message_entry" USING btree ("message_id","position");--> statement-breakpoint
CREATE INDEX "message_file_entry" ON "message_file" USING btree ("entry_id","slot");--> statement-breakpoint
CREATE INDEX "message_version_entry" ON "message_version" USING btree ("entry_id","version");--> statement-breakpoint
CREATE INDEX "problem_report_unread" ON "problem_report" USING btree ("is_read","at_s");--> statement-breakpoint
CREATE INDEX "problem_report_patient" ON "problem_report" USING btree ("patient_id","at_s");--> statement-breakpoint
CREATE INDEX "stored_file_patient" ON "stored_file" USING btree ("patient_id","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_one_live" ON "payment" USING btree ("patient_id") WHERE state in ('created', 'requires_action', 'declined', 'cancelling');--> statement-breakpoint
CREATE UNIQUE INDEX "payment_intent" ON "payment" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "payment_appointment" ON "payment" USING btree ("appointment_id");--> statement-breakpoint
CREATE INDEX "payment_patient" ON "payment" USING btree ("patient_id");--> statement-breakpoint
CREATE INDEX "payment_due" ON "payment" USING btree ("due_at_s") WHERE due_at_s is not null;--> statement-breakpoint
CREATE INDEX "practice_intent_payment" ON "practice_intent" USING btree ("payment");--> statement-breakpoint
CREATE UNIQUE INDEX "appointment_one_hold" ON "appointment" USING btree ("patient_id") WHERE state = 'held';--> statement-breakpoint
CREATE UNIQUE INDEX "appointment_once_a_day" ON "appointment" USING btree ("patient_id","clinic_date") WHERE once_a_day and state in ('booked', 'registered') and rescheduled_from is null;--> statement-breakpoint
CREATE UNIQUE INDEX "appointment_moved_once" ON "appointment" USING btree ("rescheduled_from") WHERE state in ('held', 'booked', 'registered');--> statement-breakpoint
CREATE UNIQUE INDEX "appointment_request" ON "appointment" USING btree ("patient_id","request_key");--> statement-breakpoint
CREATE INDEX "appointment_patient" ON "appointment" USING btree ("patient_id","start_s");--> statement-breakpoint
CREATE INDEX "appointment_changed" ON "appointment" USING btree ("changed_xid");--> statement-breakpoint
CREATE INDEX "appointment_paid_ended" ON "appointment" USING btree ("changed_at_s") WHERE state in ('released', 'cancelled') and paid_cents > 0;--> statement-breakpoint
CREATE INDEX "appointment_hold_expiry" ON "appointment" USING btree ("hold_expires_at_s") WHERE state = 'held';--> statement-breakpoint
CREATE UNIQUE INDEX "audit_chain" ON "audit" USING btree ("chain");--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at_s") WHERE done_at_s is null;--> statement-breakpoint
CREATE UNIQUE INDEX "patient_email" ON "patient" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "patient_card" ON "patient" USING btree ("card_province","card_index") WHERE closed_at_s is null;--> statement-breakpoint
CREATE UNIQUE INDEX "patient_record_number" ON "patient" USING btree ("record_id") WHERE closed_at_s is null;--> statement-breakpoint
CREATE INDEX "pending_sign_up_email" ON "pending_sign_up" USING btree ("email");--> statement-breakpoint
CREATE INDEX "pending_sign_up_expiry" ON "pending_sign_up" USING btree ("expires_at_s");--> statement-breakpoint
CREATE INDEX "rate_window_start" ON "rate_window" USING btree ("window_start_s");--> statement-breakpoint
CREATE INDEX "patient_record_card" ON "patient_record" USING btree ("card_index");--> statement-breakpoint
CREATE INDEX "session_patient" ON "session" USING btree ("patient_id");--> statement-breakpoint
CREATE INDEX "appointment_step_time" ON "appointment_step" USING btree ("step_start_s","provider_id");--> statement-breakpoint
CREATE INDEX "appointment_step_appointment" ON "appointment_step" USING btree ("appointment_id");--> statement-breakpoint
-- The proof that no two active appointments overlap; appointment_step is the queue in front of it.
ALTER TABLE "appointment" ADD CONSTRAINT "appointment_no_overlap" EXCLUDE USING gist ("provider_id" WITH =, int8range("start_s", "end_s") WITH &&) WHERE ("state" IN ('held', 'booked', 'registered'));--> statement-breakpoint
-- Nothing leaves released, cancelled or rescheduled.
CREATE FUNCTION "appointment_refuse_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'An appointment never leaves the state %', OLD.state;
END $$;--> statement-breakpoint
CREATE TRIGGER "appointment_final_states" BEFORE UPDATE OF "state" ON "appointment" FOR EACH ROW
  WHEN (OLD.state IN ('released', 'cancelled', 'rescheduled') AND NEW.state IS DISTINCT FROM OLD.state)
  EXECUTE FUNCTION "appointment_refuse_return"();--> statement-breakpoint
-- Whoever answers with a ready schedule asks which of these transactions it has not seen yet.
INSERT INTO "schedule_version" VALUES (1, pg_current_xact_id());--> statement-breakpoint
CREATE FUNCTION "appointment_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_xid := pg_current_xact_id();
  RETURN NEW;
END $$;--> statement-breakpoint
-- A hold that stops being confirmed or paid for may lapse again: ready schedules must learn that, too.
CREATE TRIGGER "appointment_changes_schedule"
  BEFORE UPDATE OF "state", "provider_id", "start_s", "end_s", "hold_expires_at_s", "confirming", "paying"
  ON "appointment" FOR EACH ROW EXECUTE FUNCTION "appointment_note_change"();--> statement-breakpoint
CREATE FUNCTION "schedule_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO schedule_version VALUES (1, pg_current_xact_id())
    ON CONFLICT (id) DO UPDATE SET changed_xid = excluded.changed_xid;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "appointment_deleted" AFTER DELETE ON "appointment"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
CREATE TRIGGER "schedule_day_changed" AFTER INSERT OR UPDATE OR DELETE ON "schedule_day"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
CREATE TRIGGER "records_provider_changed" AFTER INSERT OR UPDATE OR DELETE ON "records_provider"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
CREATE TRIGGER "provider_policy_changed" AFTER INSERT OR UPDATE OR DELETE ON "provider_policy"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
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
  EXECUTE FUNCTION "audit_refuse_change"();--> statement-breakpoint
-- R-36: what was agreed to is only ever added to.
CREATE FUNCTION "append_only_refuse"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The table % is append-only', TG_TABLE_NAME;
END $$;--> statement-breakpoint
CREATE TRIGGER "agreement_append_only" BEFORE UPDATE OR DELETE ON "agreement" FOR EACH ROW
  EXECUTE FUNCTION "append_only_refuse"();
