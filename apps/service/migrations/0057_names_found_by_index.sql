CREATE TABLE "name_written" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "name_written_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "patient_person" ON "patient" USING btree ((id::text));--> statement-breakpoint
CREATE INDEX "patient_email_beginning" ON "patient" USING btree (email collate "C");--> statement-breakpoint
CREATE INDEX "folded_name_words" ON "folded_name" USING gin (array_to_tsvector(array_remove(string_to_array(folded, ' '), ''))) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "folded_name_made_of" ON "folded_name" USING btree (made_of collate "C");--> statement-breakpoint
CREATE FUNCTION "name_note_written"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO name_written (person) VALUES (NEW.id::text);
  RETURN NULL;
END $$;--> statement-breakpoint
-- Whose account is closed or deleted is looked for by their record.
CREATE FUNCTION "name_note_record"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO name_written (person) VALUES (OLD.record_id);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "patient_name_written" AFTER INSERT OR UPDATE OF "first_name", "last_name", "role", "closed_at_s" ON "patient"
  FOR EACH ROW EXECUTE FUNCTION "name_note_written"();--> statement-breakpoint
CREATE TRIGGER "patient_leaves_record" AFTER DELETE OR UPDATE OF "record_id", "closed_at_s" ON "patient"
  FOR EACH ROW EXECUTE FUNCTION "name_note_record"();--> statement-breakpoint
CREATE TRIGGER "patient_record_name_begun" AFTER INSERT ON "patient_record"
  FOR EACH ROW EXECUTE FUNCTION "name_note_written"();--> statement-breakpoint
CREATE TRIGGER "patient_record_name_written" AFTER UPDATE ON "patient_record" FOR EACH ROW
  WHEN ((OLD.first_name, OLD.last_name, OLD.merged_into) IS DISTINCT FROM (NEW.first_name, NEW.last_name, NEW.merged_into))
  EXECUTE FUNCTION "name_note_written"();--> statement-breakpoint
INSERT INTO "name_written" ("person")
  SELECT id::text FROM "patient" WHERE closed_at_s IS NULL UNION ALL SELECT id FROM "patient_record";
