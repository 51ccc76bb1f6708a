CREATE TABLE "agreement_text" (
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"locale" text NOT NULL,
	"title" text NOT NULL,
	"paragraphs" text[] NOT NULL,
	"hash" text NOT NULL,
	"published_at_s" bigint NOT NULL,
	"published_by" text NOT NULL,
	CONSTRAINT "agreement_text_kind_version_locale_pk" PRIMARY KEY("kind","version","locale"),
	CONSTRAINT "agreement_text_kind" CHECK (kind in ('feeWarning', 'icbc', 'general', 'signUp')),
	CONSTRAINT "agreement_text_version" CHECK (version >= 2)
);
--> statement-breakpoint
-- R-104: a version that is published is never changed.
CREATE TRIGGER "agreement_text_append_only" BEFORE UPDATE OR DELETE ON "agreement_text" FOR EACH ROW
  EXECUTE FUNCTION "append_only_refuse"();
