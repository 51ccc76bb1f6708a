CREATE INDEX "audit_at" ON "audit" USING btree ("at_s","id");--> statement-breakpoint
CREATE INDEX "audit_subject" ON "audit" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "audit" USING btree ("actor","at_s","id");--> statement-breakpoint
CREATE INDEX "audit_looks" ON "audit" USING gin ("details" jsonb_path_ops) WHERE details ?| '{patient,patients,record,found}'::text[];