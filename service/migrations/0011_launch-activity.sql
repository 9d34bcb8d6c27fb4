CREATE TABLE "activity_sources" (
	"launch_id" uuid PRIMARY KEY NOT NULL,
	"quote_mint" text,
	"quote_decimals" smallint,
	"base_decimals" smallint,
	"pool" text
);
--> statement-breakpoint
CREATE TABLE "launch_activity" (
	"launch_id" uuid NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"slot" bigint NOT NULL,
	"detail" smallint DEFAULT 0 NOT NULL,
	"raised" numeric NOT NULL,
	"sold" numeric NOT NULL,
	"supply" numeric NOT NULL,
	"price_quote" numeric,
	"price_base" numeric,
	"progress" integer,
	"participants" numeric,
	"creator_fees" numeric,
	CONSTRAINT "launch_activity_launch_id_time_slot_pk" PRIMARY KEY("launch_id","time","slot")
);
--> statement-breakpoint
CREATE INDEX "launch_activity_detail" ON "launch_activity" USING btree ("detail","time") WHERE detail < 2;
--> statement-breakpoint
CREATE FUNCTION delete_launch_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM launch_activity USING deleted WHERE launch_id = deleted.id;
  DELETE FROM activity_sources USING deleted WHERE launch_id = deleted.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER launches_delete_activity AFTER DELETE ON launches
REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_launch_activity();
--> statement-breakpoint
-- After graduation, a launch trades in a pool, whose states are stored here alone. The first one is no move.
CREATE FUNCTION draft_pool_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_drafts (type, networks, addresses, times)
  SELECT 'launch.moved', array_agg(network), array_agg(genesis_address), array_agg(changed.time)
  FROM changed JOIN launches ON launches.id = changed.launch_id
  WHERE graduated_at IS NOT NULL AND detail = 0 AND EXISTS (
    SELECT FROM launch_activity AS earlier
    WHERE earlier.launch_id = changed.launch_id AND earlier.slot < changed.slot
  )
  HAVING count(*) > 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER draft_events AFTER INSERT ON launch_activity
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_pool_moves();
