ALTER TABLE "activity_sources" ADD COLUMN "goal" numeric;
--> statement-breakpoint
--> new-transaction
-- The indexer reads launches without a row here as if for the first time, and then knows their goals.
DELETE FROM "activity_sources";
