CREATE TABLE "events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"type" text NOT NULL,
	"address" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"written_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pending_milestones" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"milestone" text NOT NULL,
	"due_at" timestamp (3) with time zone,
	CONSTRAINT "pending_milestones_network_address_milestone_pk" PRIMARY KEY("network","address","milestone")
);
--> statement-breakpoint
CREATE INDEX "pending_milestones_start" ON "pending_milestones" USING btree ("due_at") WHERE milestone = 'started';
--> statement-breakpoint
-- Events that the current transactions will write, one row per statement. Every row is deleted by the transaction that
-- inserted it, so nothing is lost if a crash empties the table.
CREATE UNLOGGED TABLE event_drafts (
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  place bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL,
  networks text[] NOT NULL,
  addresses text[] NOT NULL,
  times timestamptz[] NOT NULL,
  -- Whether it is written even if the launch or the agent is hidden.
  is_forced boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tx, place)
);
--> statement-breakpoint
-- Runs at commit. The lock is held from here until the transaction has ended and its rows are visible, and the ids are drawn
-- under the lock: so ids follow the order of commits, however long a transaction takes before it commits. No client can
-- delay another while it holds the lock, because nothing more than the commit comes after this.
CREATE FUNCTION write_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The first call of a transaction writes all of its events.
  IF NOT EXISTS (SELECT FROM event_drafts WHERE tx = pg_current_xact_id()) THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(1360739957);
  WITH drafts AS (
    DELETE FROM event_drafts WHERE tx = pg_current_xact_id() RETURNING *
  )
  INSERT INTO events (network, type, address, at)
  SELECT network, type, address, max(at)
  FROM drafts CROSS JOIN LATERAL unnest(networks, addresses, times) WITH ORDINALITY AS draft (network, address, at, number)
  WHERE is_forced OR NOT CASE WHEN type LIKE 'launch.%' THEN EXISTS (
    SELECT FROM launches
    WHERE launches.network = draft.network AND launches.genesis_address = draft.address AND launches.hidden
  ) ELSE EXISTS (
    SELECT FROM curated_agents
    WHERE curated_agents.network = draft.network AND curated_agents.address = draft.address AND hidden_at IS NOT NULL
  ) END
  GROUP BY network, type, address
  ORDER BY min(place), min(number);
  IF FOUND THEN
    PERFORM pg_notify('slipway_events', '');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER write_events AFTER INSERT ON event_drafts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION write_events();
--> statement-breakpoint
--> new-transaction
-- A hidden launch reaches its milestones when it is shown again.
CREATE FUNCTION draft_launch_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO pending_milestones (network, address, milestone, due_at)
    SELECT network, genesis_address, 'started', starts_at FROM changed
    UNION ALL
    SELECT network, genesis_address, 'graduated', NULL FROM changed
    ON CONFLICT DO NOTHING;
    INSERT INTO event_drafts (type, networks, addresses, times)
    SELECT 'launch.registered', array_agg(network), array_agg(genesis_address), array_agg(registered_at)
    FROM changed HAVING count(*) > 0;
    INSERT INTO event_drafts (type, networks, addresses, times)
    SELECT 'agent.changed', array_agg(network), array_agg(address), array_agg(now())
    FROM agents WHERE (network, address) IN (SELECT network, agent FROM changed WHERE NOT hidden)
    HAVING count(*) > 0;
  ELSE
    UPDATE pending_milestones SET due_at = changed.starts_at FROM changed
    WHERE pending_milestones.network = changed.network AND pending_milestones.address = changed.genesis_address
      AND milestone = 'started' AND due_at IS DISTINCT FROM changed.starts_at;
    INSERT INTO event_drafts (type, networks, addresses, times, is_forced)
    SELECT 'launch.hidden', array_agg(changed.network), array_agg(changed.genesis_address), array_agg(now()), true
    FROM changed JOIN before USING (id) WHERE changed.hidden AND NOT before.hidden
    HAVING count(*) > 0;
    INSERT INTO event_drafts (type, networks, addresses, times)
    SELECT 'launch.registered', array_agg(changed.network), array_agg(changed.genesis_address), array_agg(now())
    FROM changed JOIN before USING (id) WHERE before.hidden AND NOT changed.hidden
    HAVING count(*) > 0;
    INSERT INTO event_drafts (type, networks, addresses, times)
    SELECT 'agent.changed', array_agg(network), array_agg(address), array_agg(now())
    FROM agents WHERE (network, address) IN (
      SELECT changed.network, changed.agent FROM changed JOIN before USING (id) WHERE changed.hidden <> before.hidden
    )
    HAVING count(*) > 0;
  END IF;
  WITH reached AS (
    DELETE FROM pending_milestones USING changed
    WHERE pending_milestones.network = changed.network AND pending_milestones.address = changed.genesis_address
      AND NOT changed.hidden
      AND CASE milestone WHEN 'started' THEN changed.starts_at <= now() ELSE changed.graduated_at IS NOT NULL END
    RETURNING milestone, changed.network, changed.genesis_address,
      CASE milestone WHEN 'started' THEN changed.starts_at ELSE changed.graduated_at END AS at
  )
  INSERT INTO event_drafts (type, networks, addresses, times)
  SELECT 'launch.' || milestone, array_agg(network), array_agg(genesis_address), array_agg(at)
  FROM reached GROUP BY milestone
  -- A launch has started before it graduates.
  ORDER BY milestone = 'graduated';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER draft_events_insert AFTER INSERT ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_launch_events();
--> statement-breakpoint
CREATE TRIGGER draft_events_update AFTER UPDATE ON launches
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_launch_events();
--> statement-breakpoint
CREATE FUNCTION forget_milestones() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM pending_milestones;
  ELSE
    DELETE FROM pending_milestones USING changed
    WHERE pending_milestones.network = changed.network AND pending_milestones.address = changed.genesis_address;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER forget_milestones_delete AFTER DELETE ON launches
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION forget_milestones();
--> statement-breakpoint
CREATE TRIGGER forget_milestones_truncate AFTER TRUNCATE ON launches
  FOR EACH STATEMENT EXECUTE FUNCTION forget_milestones();
--> statement-breakpoint
--> batches of launches by network, genesis_address
-- Launches that are stored already have reached what they have reached before there were events. The triggers above already
-- run, so nothing that a launch reaches from here on is missed.
INSERT INTO pending_milestones (network, address, milestone, due_at)
SELECT network, genesis_address, 'started', starts_at FROM batch WHERE starts_at > now()
UNION ALL
SELECT network, genesis_address, 'graduated', NULL FROM batch WHERE graduated_at IS NULL
ON CONFLICT DO NOTHING;
--> statement-breakpoint
CREATE FUNCTION draft_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_drafts (type, networks, addresses, times)
  SELECT 'launch.moved', array_agg(launches.network), array_agg(launches.genesis_address),
    array_agg(coalesce(changed.changed_at, now()))
  FROM changed JOIN before USING (network, address)
    JOIN launches ON launches.network = changed.network AND launches.genesis_address = changed.genesis_address
  -- Without a digest, the bucket has not been read before.
  WHERE changed.digest IS DISTINCT FROM before.digest AND before.digest IS NOT NULL
  HAVING count(*) > 0;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER draft_events AFTER UPDATE ON buckets
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_moves();
--> statement-breakpoint
--> new-transaction
-- A transaction of its own, because it blocks every read of the table until it is committed.
ALTER TABLE "chain_progress" ADD COLUMN "completed_at" timestamp (3) with time zone;
--> statement-breakpoint
CREATE FUNCTION note_completion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.is_complete AND (TG_OP = 'INSERT' OR NOT OLD.is_complete) THEN
    NEW.completed_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
UPDATE chain_progress SET completed_at = now() WHERE is_complete;
--> statement-breakpoint
CREATE TRIGGER note_completion BEFORE INSERT OR UPDATE ON chain_progress
  FOR EACH ROW EXECUTE FUNCTION note_completion();
--> statement-breakpoint
--> new-transaction
-- The documents of an agent without the times of their fetches. They can't be compared as `jsonb`: see the table.
CREATE FUNCTION without_fetch_times(documents json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(documents::text, '"fetchedAtMs":\d+', '', 'g')
$$;
--> statement-breakpoint
-- Agents that the first full read finds are not new, and neither are their documents when they are first fetched: a chain
-- with 100,000 agents must not cause as many events. Nor does an index that is deleted.
CREATE FUNCTION draft_agent_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO event_drafts (type, networks, addresses, times)
    SELECT 'agent.changed', array_agg(network), array_agg(address), array_agg(now())
    FROM changed JOIN before USING (network, address)
    WHERE (changed.owner, changed.authority, changed.name, changed.uri, changed.identity_version, changed.agent_uri, changed.agent_token)
      IS DISTINCT FROM
      (before.owner, before.authority, before.name, before.uri, before.identity_version, before.agent_uri, before.agent_token)
      OR (changed.documents::text <> before.documents::text
        AND without_fetch_times(changed.documents) <> without_fetch_times(before.documents)
        AND (before.documents::text <> '{}' OR EXISTS (
          SELECT FROM agent_listing JOIN chain_progress USING (network)
          WHERE agent_listing.network = changed.network AND agent_listing.address = changed.address
            AND is_complete AND indexed_at > completed_at
        )))
    HAVING count(*) > 0;
  ELSE
    INSERT INTO event_drafts (type, networks, addresses, times)
    SELECT CASE TG_OP WHEN 'INSERT' THEN 'agent.registered' ELSE 'agent.changed' END,
      array_agg(network), array_agg(address), array_agg(now())
    FROM changed JOIN chain_progress USING (network) WHERE is_complete
    HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER draft_events_insert AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_agent_events();
--> statement-breakpoint
CREATE TRIGGER draft_events_update AFTER UPDATE ON agents
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_agent_events();
--> statement-breakpoint
CREATE TRIGGER draft_events_delete AFTER DELETE ON agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_agent_events();
--> statement-breakpoint
--> new-transaction
-- What operators and owners set. Hiding an agent is an event itself: whoever shows the agent has to drop it.
CREATE FUNCTION draft_curation_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record := coalesce(NEW, OLD);
BEGIN
  INSERT INTO event_drafts (type, networks, addresses, times, is_forced)
  SELECT 'agent.changed', ARRAY[network], ARRAY[address], ARRAY[now()], TG_ARGV[0] = 'hidden'
  FROM agents WHERE network = changed.network AND address = changed.address;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER draft_events AFTER INSERT OR DELETE ON verified_agents
  FOR EACH ROW EXECUTE FUNCTION draft_curation_event('verified');
--> statement-breakpoint
CREATE TRIGGER draft_events AFTER INSERT OR DELETE ON authored_cards
  FOR EACH ROW EXECUTE FUNCTION draft_curation_event('card');
--> statement-breakpoint
CREATE TRIGGER draft_events_update AFTER UPDATE ON authored_cards
  FOR EACH ROW WHEN ((OLD.body, OLD.owner) IS DISTINCT FROM (NEW.body, NEW.owner))
  EXECUTE FUNCTION draft_curation_event('card');
--> statement-breakpoint
CREATE TRIGGER draft_events_insert AFTER INSERT ON curated_agents
  FOR EACH ROW WHEN (NEW.spotlighted_at IS NOT NULL)
  EXECUTE FUNCTION draft_curation_event('spotlight');
--> statement-breakpoint
CREATE TRIGGER draft_events_update AFTER UPDATE ON curated_agents
  FOR EACH ROW WHEN (OLD.spotlighted_at IS DISTINCT FROM NEW.spotlighted_at)
  EXECUTE FUNCTION draft_curation_event('spotlight');
--> statement-breakpoint
CREATE TRIGGER draft_hiding_insert AFTER INSERT ON curated_agents
  FOR EACH ROW WHEN (NEW.hidden_at IS NOT NULL)
  EXECUTE FUNCTION draft_curation_event('hidden');
--> statement-breakpoint
CREATE TRIGGER draft_hiding_update AFTER UPDATE ON curated_agents
  FOR EACH ROW WHEN ((OLD.hidden_at IS NULL) <> (NEW.hidden_at IS NULL))
  EXECUTE FUNCTION draft_curation_event('hidden');
