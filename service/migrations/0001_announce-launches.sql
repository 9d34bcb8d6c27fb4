-- Every change of a launch, or of the token it shows, is announced to all nodes as
-- `<network> <genesis address> <genesis address> …`, at most 150 addresses a message
-- (a payload holds less than 8000 bytes). Whoever writes the row, the announcement
-- leaves with the commit.
CREATE FUNCTION announce_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('slipway_launches', network || ' ' || string_agg(genesis_address, ' '))
  FROM (
    SELECT network, genesis_address,
           (row_number() OVER (PARTITION BY network ORDER BY genesis_address) - 1) / 150 AS part
    FROM changed
  ) AS numbered
  GROUP BY network, part;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION announce_launches_of_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('slipway_launches', network || ' ' || string_agg(genesis_address, ' '))
  FROM (
    SELECT launches.network, launches.genesis_address,
           (row_number() OVER (PARTITION BY launches.network ORDER BY launches.genesis_address) - 1) / 150 AS part
    FROM changed JOIN launches ON launches.network = changed.network AND launches.mint = changed.mint
  ) AS numbered
  GROUP BY network, part;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION announce_all_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('slipway_launches', '*');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER announce_insert AFTER INSERT ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_launches();
--> statement-breakpoint
CREATE TRIGGER announce_update AFTER UPDATE ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_launches();
--> statement-breakpoint
CREATE TRIGGER announce_delete AFTER DELETE ON launches
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_launches();
--> statement-breakpoint
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON launches
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_launches();
--> statement-breakpoint
CREATE TRIGGER announce_update AFTER UPDATE ON tokens
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_launches_of_tokens();
