CREATE TABLE "said" (
	"id" uuid PRIMARY KEY NOT NULL,
	"said_by" uuid NOT NULL,
	"words" text NOT NULL,
	"said_at_s" bigint NOT NULL
);
