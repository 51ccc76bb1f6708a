CREATE TABLE "waiting_act" (
	"id" uuid PRIMARY KEY NOT NULL,
	"act" text NOT NULL,
	"asked_by" uuid NOT NULL,
	"asked_at_s" bigint NOT NULL,
	"waits_until_s" bigint NOT NULL,
	"asked" jsonb NOT NULL,
	"people" bigint DEFAULT 0 NOT NULL,
	"outcome" text,
	"over_at_s" bigint,
	"stopped_by" uuid,
	CONSTRAINT "waiting_act_act" CHECK (act in ('export', 'invite')),
	CONSTRAINT "waiting_act_outcome" CHECK (outcome in ('done', 'stopped', 'failed'))
);
--> statement-breakpoint
CREATE INDEX "waiting_act_until" ON "waiting_act" USING btree ("waits_until_s");