CREATE TABLE "staff" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"roles" text[] NOT NULL,
	"provider_id" text,
	"password_hash" text,
	"totp_sealed" "bytea",
	"totp_step" bigint DEFAULT 0 NOT NULL,
	"created_at_s" bigint NOT NULL,
	"closed_at_s" bigint,
	CONSTRAINT "staff_roles" CHECK (cardinality(roles) > 0 and roles <@ '{receptionist,clinician,manager,auditor}'::text[]),
	CONSTRAINT "staff_clinician" CHECK (not ('clinician' = any(roles)) or provider_id is not null)
);
--> statement-breakpoint
CREATE TABLE "staff_invitation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at_s" bigint NOT NULL,
	"expires_at_s" bigint NOT NULL,
	"used_at_s" bigint
);
--> statement-breakpoint
CREATE TABLE "staff_recovery_code" (
	"staff_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"used_at_s" bigint,
	CONSTRAINT "staff_recovery_code_staff_id_code_hash_pk" PRIMARY KEY("staff_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "staff_session" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at_s" bigint NOT NULL,
	"last_active_at_s" bigint NOT NULL,
	"factor_at_s" bigint NOT NULL,
	"locked_at_s" bigint,
	"revoked_at_s" bigint
);
--> statement-breakpoint
ALTER TABLE "appointment" ADD COLUMN "arrived_at_s" bigint;--> statement-breakpoint
ALTER TABLE "appointment" ADD COLUMN "in_room_at_s" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree ("email");--> statement-breakpoint
CREATE INDEX "staff_invitation_token" ON "staff_invitation" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "staff_invitation_staff" ON "staff_invitation" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "staff_session_staff" ON "staff_session" USING btree ("staff_id");