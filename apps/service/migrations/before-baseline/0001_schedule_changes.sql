CREATE TABLE "schedule_version" (
	"id" integer PRIMARY KEY NOT NULL,
	"changed_xid" "xid8" NOT NULL,
	CONSTRAINT "schedule_version_one" CHECK (id = 1)
);
--> statement-breakpoint
ALTER TABLE "claim" ADD COLUMN "confirming" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "claim" ADD COLUMN "changed_xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL;--> statement-breakpoint
CREATE INDEX "claim_changed" ON "claim" USING btree ("changed_xid");--> statement-breakpoint
INSERT INTO "schedule_version" VALUES (1, pg_current_xact_id());--> statement-breakpoint
-- Whoever answers with a ready schedule asks which of these transactions it has not seen yet.
CREATE FUNCTION "claim_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.changed_xid := pg_current_xact_id();
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "claim_changes_schedule"
  BEFORE UPDATE OF "state", "provider_id", "start_s", "end_s", "hold_expires_at_s" ON "claim"
  FOR EACH ROW EXECUTE FUNCTION "claim_note_change"();--> statement-breakpoint
CREATE FUNCTION "schedule_note_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO schedule_version VALUES (1, pg_current_xact_id())
    ON CONFLICT (id) DO UPDATE SET changed_xid = excluded.changed_xid;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "claim_deleted" AFTER DELETE ON "claim"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
CREATE TRIGGER "schedule_day_changed" AFTER INSERT OR UPDATE OR DELETE ON "schedule_day"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
CREATE TRIGGER "records_provider_changed" AFTER INSERT OR UPDATE OR DELETE ON "records_provider"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();--> statement-breakpoint
CREATE TRIGGER "provider_policy_changed" AFTER INSERT OR UPDATE OR DELETE ON "provider_policy"
  FOR EACH STATEMENT EXECUTE FUNCTION "schedule_note_change"();
