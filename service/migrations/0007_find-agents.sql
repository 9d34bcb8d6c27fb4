CREATE TABLE "agent_counts" (
	"network" text NOT NULL,
	"flags" smallint NOT NULL,
	"agents" integer NOT NULL,
	CONSTRAINT "agent_counts_network_flags_pk" PRIMARY KEY("network","flags")
);
--> statement-breakpoint
CREATE TABLE "agent_listing" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"registered_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"registration_signature" text,
	"indexed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search_name" text NOT NULL,
	"search_text" text NOT NULL,
	"is_active" boolean NOT NULL,
	"has_token" boolean NOT NULL,
	"has_services" boolean NOT NULL,
	"spotlighted_at" timestamp (3) with time zone,
	"verified_at" timestamp (3) with time zone,
	"hidden_at" timestamp (3) with time zone,
	"flags" smallint GENERATED ALWAYS AS ((is_active::int + has_token::int * 2 + has_services::int * 4 + (spotlighted_at IS NOT NULL)::int * 8
          + (verified_at IS NOT NULL)::int * 16 + (hidden_at IS NOT NULL)::int * 32)::smallint) STORED NOT NULL,
	CONSTRAINT "agent_listing_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "agent_refreshes" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now(),
	"failures" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "agent_refreshes_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "agent_words" (
	"word" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "curated_agents" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"spotlighted_at" timestamp (3) with time zone,
	"hidden_at" timestamp (3) with time zone,
	CONSTRAINT "curated_agents_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"operator" text NOT NULL,
	"command" text NOT NULL,
	"network" text NOT NULL,
	"subject" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "agent_listing_order" ON "agent_listing" USING btree ("network","flags","registered_at","address");--> statement-breakpoint
CREATE INDEX "agent_listing_name" ON "agent_listing" USING btree ("network","search_name" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "agent_refreshes_due" ON "agent_refreshes" USING btree ("network","due_at");
--> statement-breakpoint
-- Sorted, so that two statements that add the same words never wait for each other.
CREATE FUNCTION learn_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO agent_words (word)
  SELECT DISTINCT word FROM added, unnest(string_to_array(search_text, ' ')) AS word
  WHERE length(word) BETWEEN 3 AND 40 ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER learn_insert AFTER INSERT ON agent_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_words();
--> statement-breakpoint
CREATE TRIGGER learn_update AFTER UPDATE ON agent_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_words();
--> statement-breakpoint
-- Rows are locked in the order of flags, so that two statements never wait for each other.
CREATE FUNCTION count_listed_agents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    DELETE FROM agent_counts;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO agent_counts AS counts (network, flags, agents)
    SELECT network, flags, count(*) FROM added GROUP BY network, flags ORDER BY network, flags
    ON CONFLICT (network, flags) DO UPDATE SET agents = counts.agents + excluded.agents;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO agent_counts AS counts (network, flags, agents)
    SELECT network, flags, -count(*) FROM removed GROUP BY network, flags ORDER BY network, flags
    ON CONFLICT (network, flags) DO UPDATE SET agents = counts.agents + excluded.agents;
  ELSE
    INSERT INTO agent_counts AS counts (network, flags, agents)
    SELECT network, flags, sum(change)
    FROM (SELECT network, flags, 1 AS change FROM added UNION ALL SELECT network, flags, -1 FROM removed) AS changes
    GROUP BY network, flags HAVING sum(change) <> 0 ORDER BY network, flags
    ON CONFLICT (network, flags) DO UPDATE SET agents = counts.agents + excluded.agents;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER count_insert AFTER INSERT ON agent_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed_agents();
--> statement-breakpoint
CREATE TRIGGER count_update AFTER UPDATE ON agent_listing
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed_agents();
--> statement-breakpoint
CREATE TRIGGER count_delete AFTER DELETE ON agent_listing
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_listed_agents();
--> statement-breakpoint
CREATE TRIGGER count_truncate AFTER TRUNCATE ON agent_listing
  FOR EACH STATEMENT EXECUTE FUNCTION count_listed_agents();
--> statement-breakpoint
-- An agent that is removed and comes back is as verified, spotlighted and hidden as it was.
CREATE FUNCTION fill_in_curation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT verified_at INTO NEW.verified_at FROM verified_agents
  WHERE network = NEW.network AND address = NEW.address;
  SELECT spotlighted_at, hidden_at INTO NEW.spotlighted_at, NEW.hidden_at FROM curated_agents
  WHERE network = NEW.network AND address = NEW.address;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER fill_in_curation BEFORE INSERT ON agent_listing
  FOR EACH ROW EXECUTE FUNCTION fill_in_curation();
--> statement-breakpoint
CREATE FUNCTION list_curation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record := coalesce(NEW, OLD);
BEGIN
  UPDATE agent_listing SET
    updated_at = now(),
    verified_at = (SELECT verified_at FROM verified_agents WHERE network = changed.network AND address = changed.address),
    spotlighted_at = (SELECT spotlighted_at FROM curated_agents WHERE network = changed.network AND address = changed.address),
    hidden_at = (SELECT hidden_at FROM curated_agents WHERE network = changed.network AND address = changed.address)
  WHERE network = changed.network AND address = changed.address;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER list_curation AFTER INSERT OR UPDATE OR DELETE ON curated_agents
  FOR EACH ROW EXECUTE FUNCTION list_curation();
--> statement-breakpoint
CREATE FUNCTION unlist_agents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    TRUNCATE agent_listing, agent_refreshes;
    RETURN NULL;
  END IF;
  DELETE FROM agent_listing USING changed
  WHERE agent_listing.network = changed.network AND agent_listing.address = changed.address;
  DELETE FROM agent_refreshes USING changed
  WHERE agent_refreshes.network = changed.network AND agent_refreshes.address = changed.address;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER announce_insert AFTER INSERT ON curated_agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_update AFTER UPDATE ON curated_agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_delete AFTER DELETE ON curated_agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON curated_agents
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_agents();
--> statement-breakpoint
--> new-transaction
CREATE TRIGGER list_curation AFTER INSERT OR UPDATE OR DELETE ON verified_agents
  FOR EACH ROW EXECUTE FUNCTION list_curation();
--> statement-breakpoint
CREATE TRIGGER list_curation AFTER INSERT OR UPDATE OR DELETE ON authored_cards
  FOR EACH ROW EXECUTE FUNCTION list_curation();
--> statement-breakpoint
CREATE TRIGGER unlist_delete AFTER DELETE ON agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION unlist_agents();
--> statement-breakpoint
CREATE TRIGGER unlist_truncate AFTER TRUNCATE ON agents
  FOR EACH STATEMENT EXECUTE FUNCTION unlist_agents();
--> statement-breakpoint
--> batches of agents by network, address
-- Agents that are already stored are listed by their names on the chain until their documents are read again, which is due now.
INSERT INTO agent_listing (network, address, search_name, search_text, is_active, has_token, has_services)
SELECT network, address, words, ' ' || words, true, agent_token IS NOT NULL, false
FROM batch
  CROSS JOIN LATERAL (SELECT left(trim(regexp_replace(lower(name), '[^a-z0-9]+', ' ', 'g')), 256) AS words) AS search
ON CONFLICT DO NOTHING;
--> statement-breakpoint
--> batches of agents by network, address
INSERT INTO agent_refreshes (network, address) SELECT network, address FROM batch
ON CONFLICT DO NOTHING;
