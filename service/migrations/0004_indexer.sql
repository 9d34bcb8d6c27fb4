ALTER TABLE "buckets" ADD COLUMN "digest" text;--> statement-breakpoint
ALTER TABLE "buckets" ADD COLUMN "changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chain_progress" ADD COLUMN "scan_slot" bigint;--> statement-breakpoint
ALTER TABLE "chain_progress" ADD COLUMN "scan_share" real;