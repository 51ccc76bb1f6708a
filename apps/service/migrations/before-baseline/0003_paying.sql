ALTER TABLE "payment" ADD COLUMN "given_up_by_patient" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "claim" ADD COLUMN "paying" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "claim_paid_ended" ON "claim" USING btree ("changed_at_s") WHERE state in ('released', 'cancelled') and paid_cents > 0;