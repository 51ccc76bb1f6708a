ALTER TABLE "records_provider" RENAME TO "provider";--> statement-breakpoint
ALTER INDEX "records_provider_pkey" RENAME TO "provider_pkey";--> statement-breakpoint
ALTER TRIGGER "records_provider_changed" ON "provider" RENAME TO "provider_changed";
