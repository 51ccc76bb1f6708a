ALTER TABLE "folded_name" ADD COLUMN "sounds" text[];--> statement-breakpoint
ALTER TABLE "folded_name" ADD COLUMN "grams" text[];--> statement-breakpoint
CREATE INDEX "folded_name_sounds" ON "folded_name" USING gin ("sounds") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "folded_name_grams" ON "folded_name" USING gin ("grams") WITH (fastupdate=false);