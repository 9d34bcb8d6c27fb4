ALTER TABLE "trade_progress" ADD COLUMN "unreadable" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "raised" numeric;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "sold" numeric;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "creator_fees" numeric;--> statement-breakpoint
ALTER TABLE "candles" ADD COLUMN "sums_trades" integer;