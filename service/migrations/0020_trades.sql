CREATE TABLE "candles" (
	"launch_id" uuid NOT NULL,
	"minutes" smallint NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"open" numeric,
	"high" numeric,
	"low" numeric,
	"close" numeric,
	"volume_base" numeric NOT NULL,
	"volume_quote" numeric NOT NULL,
	"trades" integer NOT NULL,
	CONSTRAINT "candles_launch_id_minutes_time_pk" PRIMARY KEY("launch_id","minutes","time")
);
--> statement-breakpoint
CREATE TABLE "trade_retention" (
	"kept_after" timestamp (3) with time zone PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trade_totals" (
	"launch_id" uuid NOT NULL,
	"wallet" text NOT NULL,
	"paid" numeric NOT NULL,
	"received" numeric NOT NULL,
	CONSTRAINT "trade_totals_launch_id_wallet_pk" PRIMARY KEY("launch_id","wallet")
);
--> statement-breakpoint
CREATE TABLE "trades" (
	"launch_id" uuid NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"slot" bigint NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"index" integer NOT NULL,
	"kind" text NOT NULL,
	"wallet" text NOT NULL,
	"agent" text,
	"base_amount" numeric(20) NOT NULL,
	"quote_amount" numeric(20) NOT NULL,
	"protocol_fee" numeric(20) NOT NULL,
	"creator_fee" numeric(20) NOT NULL,
	"pool_fee" numeric(20) NOT NULL,
	CONSTRAINT "trades_launch_id_signature_index_time_pk" PRIMARY KEY("launch_id","signature","index","time")
) PARTITION BY RANGE ("time");
--> statement-breakpoint
CREATE INDEX "trades_kind" ON "trades" USING btree ("launch_id","kind","time","slot");
--> statement-breakpoint
CREATE INDEX "trades_wallet" ON "trades" USING btree ("launch_id","wallet","kind","time","slot");
--> statement-breakpoint
-- Creates the partitions of these times' months, in UTC. A table that is attached needs a weaker lock on the parent than one that
-- is created as a partition: requests and other nodes go on meanwhile.
CREATE FUNCTION ensure_trade_partitions(times timestamptz[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  month timestamp;
  partition text;
BEGIN
  FOR month IN SELECT DISTINCT date_trunc('month', at AT TIME ZONE 'UTC') FROM unnest(times) AS at ORDER BY 1 LOOP
    partition := 'trades_' || to_char(month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    PERFORM pg_advisory_xact_lock(1360739958);
    -- Another node may have created it meanwhile, which `to_regclass` may not know yet.
    CONTINUE WHEN EXISTS (
      SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'trades'::regclass AND relname = partition
    );
    EXECUTE format('CREATE TABLE %I (LIKE trades INCLUDING ALL)', partition);
    EXECUTE format('ALTER TABLE trades ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition,
      month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
  END LOOP;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION delete_launch_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM launch_activity USING deleted WHERE launch_id = deleted.id;
  DELETE FROM activity_sources USING deleted WHERE launch_id = deleted.id;
  DELETE FROM trades USING deleted WHERE launch_id = deleted.id;
  DELETE FROM candles USING deleted WHERE launch_id = deleted.id;
  DELETE FROM trade_totals USING deleted WHERE launch_id = deleted.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
--> new-transaction
-- A transaction of its own, because it blocks every read of the table until it is committed.
ALTER TABLE "events" ADD COLUMN "data" jsonb;
--> statement-breakpoint
--> new-transaction
-- What each event carries. Null if none of them carries anything.
ALTER TABLE event_drafts ADD COLUMN data jsonb[];
--> statement-breakpoint
-- As before, but events that carry different data stay apart.
CREATE OR REPLACE FUNCTION write_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The first call of a transaction writes all of its events.
  IF NOT EXISTS (SELECT FROM event_drafts WHERE tx = pg_current_xact_id()) THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(1360739957);
  PERFORM setval('events_id_seq',
    greatest(nextval('events_id_seq'), (extract(epoch FROM clock_timestamp()) * 1000)::bigint));
  WITH drafts AS (
    DELETE FROM event_drafts WHERE tx = pg_current_xact_id() RETURNING *
  )
  INSERT INTO events (network, type, address, at, data)
  SELECT network, type, address, max(at), draft.data
  FROM drafts CROSS JOIN LATERAL unnest(networks, addresses, times, drafts.data)
    WITH ORDINALITY AS draft (network, address, at, data, number)
  WHERE is_forced OR NOT CASE WHEN type LIKE 'launch.%' THEN EXISTS (
    SELECT FROM launches
    WHERE launches.network = draft.network AND launches.genesis_address = draft.address AND launches.hidden
  ) ELSE EXISTS (
    SELECT FROM curated_agents
    WHERE curated_agents.network = draft.network AND curated_agents.address = draft.address AND hidden_at IS NOT NULL
  ) END
  GROUP BY network, type, address, draft.data
  ORDER BY min(place), min(number);
  IF FOUND THEN
    PERFORM pg_notify('slipway_events', '');
  END IF;
  RETURN NULL;
END $$;
