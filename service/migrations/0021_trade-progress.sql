CREATE TABLE "trade_progress" (
	"network" text NOT NULL,
	"genesis_address" text NOT NULL,
	"address" text NOT NULL,
	"settled" jsonb,
	"recent" jsonb NOT NULL,
	"gaps" jsonb NOT NULL,
	"has_origin" boolean NOT NULL,
	"lacks_history" boolean NOT NULL,
	CONSTRAINT "trade_progress_network_genesis_address_address_pk" PRIMARY KEY("network","genesis_address","address")
);
--> statement-breakpoint
CREATE TABLE "trade_reading" (
	"network" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
-- A launch that is registered again starts from the beginning.
CREATE OR REPLACE FUNCTION delete_launch_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM launch_activity USING deleted WHERE launch_id = deleted.id;
  DELETE FROM activity_sources USING deleted WHERE launch_id = deleted.id;
  DELETE FROM trades USING deleted WHERE launch_id = deleted.id;
  DELETE FROM candles USING deleted WHERE launch_id = deleted.id;
  DELETE FROM trade_totals USING deleted WHERE launch_id = deleted.id;
  DELETE FROM trade_progress USING deleted
  WHERE trade_progress.network = deleted.network AND trade_progress.genesis_address = deleted.genesis_address;
  RETURN NULL;
END $$;
