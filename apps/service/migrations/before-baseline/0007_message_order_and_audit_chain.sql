DROP INDEX "message_entry_message";--> statement-breakpoint
ALTER TABLE "message_entry" ADD COLUMN "position" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "message_entry_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
CREATE UNIQUE INDEX "audit_chain" ON "audit" USING btree ("chain");--> statement-breakpoint
CREATE INDEX "message_entry_message" ON "message_entry" USING btree ("message_id","position");