DROP INDEX "patient_email";--> statement-breakpoint
CREATE INDEX "patient_address" ON "patient" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "patient_email" ON "patient" USING btree ("email") WHERE closed_at_s is null;