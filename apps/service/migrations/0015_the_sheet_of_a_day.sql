CREATE INDEX "appointment_day" ON "appointment" USING btree ("clinic_date","provider_id");--> statement-breakpoint
CREATE INDEX "appointment_record" ON "appointment" USING btree ("record_id");