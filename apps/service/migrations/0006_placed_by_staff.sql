ALTER TABLE "appointment" ADD COLUMN "placed_by_staff" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Staff may put one off the grid and over another: what they did is kept as it stands.
ALTER TABLE "appointment" DROP CONSTRAINT "appointment_span";--> statement-breakpoint
ALTER TABLE "appointment" ADD CONSTRAINT "appointment_span" CHECK (end_s > start_s and (placed_by_staff or (start_s % 300 = 0 and end_s % 300 = 0)));--> statement-breakpoint
ALTER TABLE "appointment" DROP CONSTRAINT "appointment_no_overlap";--> statement-breakpoint
ALTER TABLE "appointment" ADD CONSTRAINT "appointment_no_overlap" EXCLUDE USING gist ("provider_id" WITH =, int8range("start_s", "end_s") WITH &&) WHERE ("state" IN ('held', 'booked', 'registered') AND NOT "placed_by_staff");
