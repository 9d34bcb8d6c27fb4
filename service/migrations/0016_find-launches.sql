CREATE TABLE "launch_counts" (
	"network" text NOT NULL,
	"flags" smallint NOT NULL,
	"launches" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "launch_listing" (
	"launch_id" uuid PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"genesis_address" text COLLATE "C" NOT NULL,
	"mechanic" text NOT NULL,
	"spotlight" boolean NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"phase" smallint NOT NULL,
	"by_activity" bigint NOT NULL,
	"by_registration" bigint NOT NULL,
	"by_end" bigint NOT NULL,
	"by_raised" numeric NOT NULL,
	"by_progress" integer NOT NULL,
	"flags" smallint GENERATED ALWAYS AS ((CASE mechanic WHEN 'launchpoolV2' THEN 0 WHEN 'presaleV2' THEN 1 ELSE 2 END + spotlight::int * 3 + phase * 6)::smallint) STORED NOT NULL,
	"due_at" timestamp (3) with time zone GENERATED ALWAYS AS (CASE WHEN phase = 0 THEN starts_at END) STORED
);
--> statement-breakpoint
CREATE TABLE "launch_names" (
	"launch_id" uuid PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"genesis_address" text COLLATE "C" NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"flags" smallint NOT NULL,
	"search_name" text COLLATE "C" NOT NULL,
	"search_symbol" text COLLATE "C" NOT NULL,
	"search_text" text COLLATE "C" NOT NULL,
	"words_due" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "launch_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE INDEX "launch_listing_activity" ON "launch_listing" USING btree ("network","flags","by_activity","genesis_address");--> statement-breakpoint
CREATE INDEX "launch_listing_registration" ON "launch_listing" USING btree ("network","flags","by_registration","genesis_address");--> statement-breakpoint
CREATE INDEX "launch_listing_end" ON "launch_listing" USING btree ("network","flags","by_end","genesis_address");--> statement-breakpoint
CREATE INDEX "launch_listing_raised" ON "launch_listing" USING btree ("network","flags","by_raised","genesis_address");--> statement-breakpoint
CREATE INDEX "launch_listing_progress" ON "launch_listing" USING btree ("network","flags","by_progress","genesis_address");--> statement-breakpoint
CREATE INDEX "launch_listing_due" ON "launch_listing" USING btree ("network","due_at") WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "launch_names_address" ON "launch_names" USING btree ("network","genesis_address");--> statement-breakpoint
CREATE INDEX "launch_names_mint" ON "launch_names" USING btree ("network","mint");--> statement-breakpoint
CREATE INDEX "launch_names_name" ON "launch_names" USING btree ("network","search_name","genesis_address");--> statement-breakpoint
CREATE INDEX "launch_names_symbol" ON "launch_names" USING btree ("network","search_symbol","genesis_address");--> statement-breakpoint
CREATE INDEX "launch_names_due" ON "launch_names" USING btree ("launch_id") WHERE words_due;--> statement-breakpoint
-- Rows are only added, so that no transaction waits for another one. `foldLaunchCounts` replaces them by their sums.
CREATE FUNCTION count_listed_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM launch_counts;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO launch_counts (network, flags, launches) SELECT network, flags, count(*) FROM added GROUP BY network, flags;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO launch_counts (network, flags, launches) SELECT network, flags, -count(*) FROM removed GROUP BY network, flags;
  ELSE
    INSERT INTO launch_counts (network, flags, launches)
    SELECT network, flags, sum(change)
    FROM (SELECT network, flags, 1 AS change FROM added UNION ALL SELECT network, flags, -1 FROM removed) AS changes
    GROUP BY network, flags HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON launch_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed_launches();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON launch_listing
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed_launches();
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON launch_listing
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_listed_launches();
--> statement-breakpoint
CREATE TRIGGER count_truncate AFTER TRUNCATE ON launch_listing
  FOR EACH STATEMENT EXECUTE FUNCTION count_listed_launches();
--> statement-breakpoint
-- What `toSearchWords` makes of ASCII text.
CREATE FUNCTION ascii_words(words text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT left(trim(regexp_replace(lower(words COLLATE "C"), '[^a-z0-9]+', ' ', 'g')), 256)
$$;
--> statement-breakpoint
CREATE FUNCTION has_other_letters(words text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT words COLLATE "C" ~ '[^\x01-\x7f]'
$$;
--> statement-breakpoint
CREATE FUNCTION name_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    TRUNCATE launch_names;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO launch_names
      (launch_id, network, genesis_address, mint, flags, search_name, search_symbol, search_text, words_due)
    SELECT launch_id, added.network, added.genesis_address, tokens.mint, added.flags, ascii_words(name), ascii_words(symbol),
      rtrim(' ' || ascii_words(name) || ' ' || ascii_words(symbol)), has_other_letters(name || symbol)
    FROM added JOIN launches ON launches.id = launch_id
      JOIN tokens ON tokens.network = launches.network AND tokens.mint = launches.mint
    ON CONFLICT DO NOTHING;
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM launch_names USING removed WHERE launch_names.launch_id = removed.launch_id;
  ELSE
    UPDATE launch_names SET flags = added.flags FROM added
    WHERE launch_names.launch_id = added.launch_id AND launch_names.flags <> added.flags;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER name_insert AFTER INSERT ON launch_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_launches();
--> statement-breakpoint
CREATE TRIGGER name_update AFTER UPDATE ON launch_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_launches();
--> statement-breakpoint
CREATE TRIGGER name_delete AFTER DELETE ON launch_listing
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION name_launches();
--> statement-breakpoint
CREATE TRIGGER name_truncate AFTER TRUNCATE ON launch_listing
  FOR EACH STATEMENT EXECUTE FUNCTION name_launches();
--> statement-breakpoint
-- Sorted, so that two statements that add the same words never wait for each other.
CREATE FUNCTION learn_launch_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO launch_words (word)
  SELECT DISTINCT word FROM added, unnest(string_to_array(search_text, ' ')) AS word
  WHERE length(word) BETWEEN 3 AND 40 AND NOT words_due ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER learn_insert AFTER INSERT ON launch_names
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_launch_words();
--> statement-breakpoint
CREATE TRIGGER learn_update AFTER UPDATE ON launch_names
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_launch_words();
--> statement-breakpoint
-- The keys of a launch's newest figures. Anyone can create a token and raise any amount of it, so amounts of native currency come
-- first, then those of other tokens in whole units, then nothing raised, then the unknown.
CREATE FUNCTION rank_figures(launch uuid) RETURNS TABLE (by_raised numeric, by_progress integer) LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE
      WHEN state.raised = 0 THEN 0
      WHEN source.quote_mint = 'So11111111111111111111111111111111111111112' THEN -(1e30 + state.raised)
      ELSE -state.raised / 10::numeric ^ source.quote_decimals END, 1),
    coalesce(-state.progress, 1)
  FROM (SELECT) AS one
  LEFT JOIN LATERAL (
    SELECT raised, progress FROM launch_activity WHERE launch_id = launch ORDER BY time DESC, slot DESC LIMIT 1
  ) AS state ON true
  LEFT JOIN activity_sources AS source ON source.launch_id = launch
$$;
--> statement-breakpoint
-- Only visible launches are listed. Rows are locked in the order of their ids, here and below.
CREATE FUNCTION list_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    TRUNCATE launch_listing;
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    DELETE FROM launch_listing USING changed WHERE launch_id = changed.id;
    RETURN NULL;
  END IF;
  DELETE FROM launch_listing USING changed WHERE launch_id = changed.id AND changed.hidden;
  INSERT INTO launch_listing AS listed (launch_id, network, genesis_address, mechanic, spotlight, starts_at, phase,
    by_activity, by_registration, by_end, by_raised, by_progress)
  SELECT id, network, genesis_address, mechanic, spotlight, starts_at,
    CASE WHEN graduated_at IS NOT NULL THEN 2 WHEN starts_at <= now() THEN 1 ELSE 0 END,
    -extract(epoch FROM last_activity_at) * 1000, -extract(epoch FROM registered_at) * 1000,
    extract(epoch FROM ends_at) * 1000, figures.by_raised, figures.by_progress
  FROM changed CROSS JOIN LATERAL rank_figures(id) AS figures
  WHERE NOT hidden
  ORDER BY id
  ON CONFLICT (launch_id) DO UPDATE SET
    mechanic = excluded.mechanic, spotlight = excluded.spotlight, starts_at = excluded.starts_at, phase = excluded.phase,
    by_activity = excluded.by_activity, by_registration = excluded.by_registration, by_end = excluded.by_end
  WHERE (listed.mechanic, listed.spotlight, listed.starts_at, listed.phase, listed.by_activity, listed.by_registration, listed.by_end)
    IS DISTINCT FROM
    (excluded.mechanic, excluded.spotlight, excluded.starts_at, excluded.phase, excluded.by_activity, excluded.by_registration,
     excluded.by_end);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION rank_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM launch_listing WHERE launch_id IN (SELECT launch_id FROM changed) ORDER BY launch_id FOR UPDATE;
  UPDATE launch_listing AS listed SET by_raised = figures.by_raised, by_progress = figures.by_progress
  FROM (SELECT DISTINCT launch_id FROM changed) AS moved CROSS JOIN LATERAL rank_figures(moved.launch_id) AS figures
  WHERE listed.launch_id = moved.launch_id
    AND (listed.by_raised, listed.by_progress) IS DISTINCT FROM (figures.by_raised, figures.by_progress);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION rename_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE launch_names SET search_name = ascii_words(changed.name), search_symbol = ascii_words(changed.symbol),
    search_text = rtrim(' ' || ascii_words(changed.name) || ' ' || ascii_words(changed.symbol)),
    words_due = has_other_letters(changed.name || changed.symbol)
  FROM changed JOIN before ON before.id = changed.id
    JOIN launches ON launches.network = changed.network AND launches.mint = changed.mint
  WHERE launch_names.launch_id = launches.id
    AND (changed.name, changed.symbol) IS DISTINCT FROM (before.name, before.symbol);
  RETURN NULL;
END $$;
--> statement-breakpoint
--> new-transaction
CREATE TRIGGER list_insert AFTER INSERT ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_launches();
--> statement-breakpoint
CREATE TRIGGER list_update AFTER UPDATE ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_launches();
--> statement-breakpoint
CREATE TRIGGER list_delete AFTER DELETE ON launches
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_launches();
--> statement-breakpoint
CREATE TRIGGER list_truncate AFTER TRUNCATE ON launches
  FOR EACH STATEMENT EXECUTE FUNCTION list_launches();
--> statement-breakpoint
--> new-transaction
CREATE TRIGGER rename_update AFTER UPDATE ON tokens
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rename_launches();
--> statement-breakpoint
--> new-transaction
CREATE TRIGGER rank_insert AFTER INSERT ON launch_activity
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
--> statement-breakpoint
CREATE TRIGGER rank_update AFTER UPDATE ON launch_activity
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
--> statement-breakpoint
CREATE TRIGGER rank_delete AFTER DELETE ON launch_activity
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
--> statement-breakpoint
--> new-transaction
CREATE TRIGGER rank_insert AFTER INSERT ON activity_sources
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
--> statement-breakpoint
CREATE TRIGGER rank_update AFTER UPDATE ON activity_sources
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
--> statement-breakpoint
--> batches of launches by network, genesis_address
-- The triggers above already run, so nothing that changes from here on is missed.
INSERT INTO launch_listing (launch_id, network, genesis_address, mechanic, spotlight, starts_at, phase,
  by_activity, by_registration, by_end, by_raised, by_progress)
SELECT id, network, genesis_address, mechanic, spotlight, starts_at,
  CASE WHEN graduated_at IS NOT NULL THEN 2 WHEN starts_at <= now() THEN 1 ELSE 0 END,
  -extract(epoch FROM last_activity_at) * 1000, -extract(epoch FROM registered_at) * 1000,
  extract(epoch FROM ends_at) * 1000, figures.by_raised, figures.by_progress
FROM batch CROSS JOIN LATERAL rank_figures(id) AS figures
WHERE NOT hidden
ON CONFLICT DO NOTHING;
