ALTER TABLE "appointment_type" ADD COLUMN "hue" text;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD COLUMN "shape" text;--> statement-breakpoint
ALTER TABLE "appointment_type" ADD CONSTRAINT "appointment_type_hue" CHECK (hue in ('blue', 'orange', 'violet', 'green', 'pink', 'teal', 'red', 'olive'));--> statement-breakpoint
ALTER TABLE "appointment_type" ADD CONSTRAINT "appointment_type_shape" CHECK (shape in ('circle', 'square', 'triangle', 'diamond', 'ring', 'star', 'plus', 'wedge'));