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
	"claim_id" uuid NOT NULL,
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
	"request_key" text NOT NULL,
	"answers_sealed" "bytea" NOT NULL,
	"created_at_s" bigint NOT NULL,
	"changed_at_s" bigint NOT NULL
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
CREATE UNIQUE INDEX "payment_one_live" ON "payment" USING btree ("patient_id") WHERE state in ('created', 'requires_action', 'declined', 'cancelling');--> statement-breakpoint
CREATE UNIQUE INDEX "payment_intent" ON "payment" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "payment_claim" ON "payment" USING btree ("claim_id");--> statement-breakpoint
CREATE INDEX "payment_due" ON "payment" USING btree ("due_at_s") WHERE due_at_s is not null;--> statement-breakpoint
CREATE INDEX "practice_intent_payment" ON "practice_intent" USING btree ("payment");