CREATE TABLE "staff_act" (
	"id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" uuid NOT NULL,
	"before" jsonb,
	"until_s" bigint NOT NULL,
	"undone_at_s" bigint
);
--> statement-breakpoint
CREATE INDEX "staff_act_subject" ON "staff_act" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "staff_act_until" ON "staff_act" USING btree ("until_s");--> statement-breakpoint
-- What staff have just cancelled or moved may be booked again while their act can be undone; nothing else leaves
-- released, cancelled or rescheduled.
CREATE OR REPLACE FUNCTION "appointment_refuse_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('cancelled', 'rescheduled') AND NEW.state = 'booked' AND EXISTS (
       SELECT FROM staff_act act
        WHERE act.undone_at_s IS NULL AND act.before IS NOT NULL
          AND (act.subject = OLD.id AND act.kind = 'cancel' AND OLD.state = 'cancelled'
               OR act.before ->> 'movedFrom' = OLD.id::text AND OLD.state = 'rescheduled')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'An appointment never leaves the state %', OLD.state;
END $$;
