CREATE TABLE "staff_challenge" (
	"challenge_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"bound_to" "bytea" NOT NULL,
	"expires_at_s" bigint NOT NULL,
	CONSTRAINT "staff_challenge_purpose" CHECK (purpose in ('sign-in', 'unlock', 'add'))
);
--> statement-breakpoint
CREATE TABLE "staff_passkey" (
	"id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" "bytea" NOT NULL,
	"public_key" "bytea" NOT NULL,
	"sign_count" bigint NOT NULL,
	"created_at_s" bigint NOT NULL,
	"last_used_at_s" bigint
);
--> statement-breakpoint
CREATE INDEX "staff_challenge_bound" ON "staff_challenge" USING btree ("bound_to","purpose");--> statement-breakpoint
CREATE INDEX "staff_challenge_expires" ON "staff_challenge" USING btree ("expires_at_s");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_passkey_credential" ON "staff_passkey" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "staff_passkey_staff" ON "staff_passkey" USING btree ("staff_id");