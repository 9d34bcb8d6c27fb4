-- Ids follow the clock, in milliseconds. A database that is restored from a backup has lost the newest events, and with them how
-- far the ids had come; the clock still knows. So an id that a client has seen is never given to another event.
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
