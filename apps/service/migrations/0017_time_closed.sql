CREATE TABLE "closing" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_key" text NOT NULL,
	"provider_ids" text[] NOT NULL,
	"from_s" bigint NOT NULL,
	"to_s" bigint NOT NULL,
	"asked_by" text NOT NULL,
	"asked_at_s" bigint NOT NULL,
	"done_at_s" bigint,
	"lease_until_s" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "closing_span" CHECK (to_s > from_s and from_s % 300 = 0 and to_s % 300 = 0)
);
--> statement-breakpoint
CREATE TABLE "closing_entry" (
	"closing_id" uuid NOT NULL,
	"appointment_id" uuid NOT NULL,
	"outcome" text,
	"at_s" bigint,
	"offered" jsonb NOT NULL,
	CONSTRAINT "closing_entry_closing_id_appointment_id_pk" PRIMARY KEY("closing_id","appointment_id"),
	CONSTRAINT "closing_entry_outcome" CHECK (outcome in ('cancelled', 'cancelSent', 'released', 'gone', 'stays'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "closing_request" ON "closing" USING btree ("asked_by","request_key");--> statement-breakpoint
CREATE INDEX "closing_asked" ON "closing" USING btree ("asked_at_s");--> statement-breakpoint
CREATE INDEX "closing_to_do" ON "closing" USING btree ("asked_at_s") WHERE done_at_s is null;