CREATE TABLE "activity_sources" (
	"launch_id" uuid PRIMARY KEY NOT NULL,
	"quote_mint" text,
	"quote_decimals" smallint,
	"base_decimals" smallint,
	"goal" numeric,
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
CREATE TABLE "agent_delegations" (
	"network" text NOT NULL,
	"record" text NOT NULL,
	"agent" text NOT NULL,
	"executive" text NOT NULL,
	"wallet" text NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"first_owner" text,
	"slot" bigint NOT NULL,
	CONSTRAINT "agent_delegations_network_record_pk" PRIMARY KEY("network","record")
);
--> statement-breakpoint
CREATE TABLE "deposits" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"owner" text NOT NULL,
	"bucket" text NOT NULL,
	"slot" bigint NOT NULL,
	CONSTRAINT "deposits_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"type" text NOT NULL,
	"address" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"data" jsonb,
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
CREATE TABLE "documents" (
	"sha256" text NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"body" "bytea" NOT NULL,
	"card" "bytea",
	"size" integer NOT NULL,
	"client" text,
	"owner" text,
	"prepared_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"named_at" timestamp (3) with time zone,
	"unnamed_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "documents_sha256_network_asset_pk" PRIMARY KEY("sha256","network","asset")
);
--> statement-breakpoint
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
CREATE TABLE "owner_changes" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"purpose" text NOT NULL,
	"owner" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "owner_changes_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "owner_nonces" (
	"owner" text NOT NULL,
	"nonce" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "owner_nonces_owner_nonce_pk" PRIMARY KEY("owner","nonce")
);
--> statement-breakpoint
CREATE TABLE "site_files" (
	"name" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"identity" "bytea" NOT NULL,
	"gzip" "bytea",
	"br" "bytea",
	"size" integer NOT NULL,
	"offered_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"owner" text NOT NULL,
	"authority" text,
	"name" text NOT NULL,
	"uri" text NOT NULL,
	"identity_version" smallint NOT NULL,
	"agent_uri" text,
	"agent_token" text,
	"slot" bigint NOT NULL,
	"documents" json DEFAULT '{}'::json NOT NULL,
	CONSTRAINT "agents_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "authored_cards" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"body" "bytea",
	"owner" text,
	"slot" bigint,
	CONSTRAINT "authored_cards_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "buckets" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"genesis_address" text NOT NULL,
	"kind" text NOT NULL,
	"creator_fee_wallet" text,
	"slot" bigint NOT NULL,
	"digest" text,
	"changed_at" timestamp (3) with time zone,
	CONSTRAINT "buckets_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "chain_progress" (
	"network" text PRIMARY KEY NOT NULL,
	"slot" bigint NOT NULL,
	"is_complete" boolean DEFAULT false NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"scan_slot" bigint,
	"scan_share" real,
	"doubted_at" timestamp (3) with time zone,
	"has_delegations" boolean DEFAULT false NOT NULL,
	"has_deposits" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clusters" (
	"network" text PRIMARY KEY NOT NULL,
	"genesis_hash" text NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "launches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"network" text NOT NULL,
	"genesis_address" text NOT NULL,
	"mint" text NOT NULL,
	"mechanic" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"graduated_at" timestamp (3) with time zone,
	"last_activity_at" timestamp (3) with time zone NOT NULL,
	"registered_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"spotlight" boolean DEFAULT false NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"slot" bigint DEFAULT 0 NOT NULL,
	"hero_url" text,
	"website" text DEFAULT '' NOT NULL,
	"socials" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"agent" text,
	"created_token" boolean DEFAULT true NOT NULL,
	"verified_socials" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "launches_genesis" UNIQUE("network","genesis_address")
);
--> statement-breakpoint
CREATE TABLE "removed_accounts" (
	"network" text NOT NULL,
	"kind" text NOT NULL,
	"address" text NOT NULL,
	"removed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "removed_accounts_network_kind_address_pk" PRIMARY KEY("network","kind","address")
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"network" text NOT NULL,
	"mint" text NOT NULL,
	"name" text NOT NULL,
	"symbol" text NOT NULL,
	"image" text DEFAULT '' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	CONSTRAINT "tokens_network_mint_pk" PRIMARY KEY("network","mint"),
	CONSTRAINT "tokens_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "used_verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"genesis_address" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verified_agents" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"verified_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "verified_agents_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "trade_progress" (
	"network" text NOT NULL,
	"genesis_address" text NOT NULL,
	"address" text NOT NULL,
	"settled" jsonb,
	"recent" jsonb NOT NULL,
	"gaps" jsonb NOT NULL,
	"has_origin" boolean NOT NULL,
	"lacks_history" boolean NOT NULL,
	"unreadable" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "trade_progress_network_genesis_address_address_pk" PRIMARY KEY("network","genesis_address","address")
);
--> statement-breakpoint
CREATE TABLE "trade_reading" (
	"network" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
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
	"raised" numeric NOT NULL,
	"sold" numeric NOT NULL,
	"creator_fees" numeric NOT NULL,
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
	"order_in_slot" integer NOT NULL,
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
ALTER TABLE "launches" ADD CONSTRAINT "launches_network_mint_tokens_network_mint_fk" FOREIGN KEY ("network","mint") REFERENCES "public"."tokens"("network","mint") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "launch_activity_detail" ON "launch_activity" USING btree ("detail","time") WHERE detail < 2;
--> statement-breakpoint
CREATE INDEX "agent_listing_order" ON "agent_listing" USING btree ("network","flags","registered_at","address");
--> statement-breakpoint
CREATE INDEX "agent_listing_name" ON "agent_listing" USING btree ("network","search_name" text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "agent_refreshes_due" ON "agent_refreshes" USING btree ("network","due_at");
--> statement-breakpoint
CREATE INDEX "agent_delegations_agent" ON "agent_delegations" USING btree ("network","agent");
--> statement-breakpoint
CREATE INDEX "deposits_owner" ON "deposits" USING btree ("network","owner");
--> statement-breakpoint
CREATE INDEX "pending_milestones_start" ON "pending_milestones" USING btree ("due_at") WHERE milestone = 'started';
--> statement-breakpoint
CREATE INDEX "documents_pending" ON "documents" USING btree ("prepared_at","client","size") WHERE named_at IS NULL AND removed_at IS NULL;
--> statement-breakpoint
CREATE INDEX "documents_account" ON "documents" USING btree ("network","asset");
--> statement-breakpoint
CREATE INDEX "documents_owner" ON "documents" USING btree ("network","owner","size") WHERE named_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "documents_named_client" ON "documents" USING btree ("client" text_pattern_ops,"named_at","size") WHERE named_at IS NOT NULL AND client IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "documents_unnamed" ON "documents" USING btree ("unnamed_at") WHERE unnamed_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "launch_listing_activity" ON "launch_listing" USING btree ("network","flags","by_activity","genesis_address");
--> statement-breakpoint
CREATE INDEX "launch_listing_registration" ON "launch_listing" USING btree ("network","flags","by_registration","genesis_address");
--> statement-breakpoint
CREATE INDEX "launch_listing_end" ON "launch_listing" USING btree ("network","flags","by_end","genesis_address");
--> statement-breakpoint
CREATE INDEX "launch_listing_raised" ON "launch_listing" USING btree ("network","flags","by_raised","genesis_address");
--> statement-breakpoint
CREATE INDEX "launch_listing_progress" ON "launch_listing" USING btree ("network","flags","by_progress","genesis_address");
--> statement-breakpoint
CREATE INDEX "launch_listing_due" ON "launch_listing" USING btree ("network","due_at") WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "launch_names_address" ON "launch_names" USING btree ("network","genesis_address");
--> statement-breakpoint
CREATE INDEX "launch_names_mint" ON "launch_names" USING btree ("network","mint");
--> statement-breakpoint
CREATE INDEX "launch_names_name" ON "launch_names" USING btree ("network","search_name","genesis_address");
--> statement-breakpoint
CREATE INDEX "launch_names_symbol" ON "launch_names" USING btree ("network","search_symbol","genesis_address");
--> statement-breakpoint
CREATE INDEX "launch_names_due" ON "launch_names" USING btree ("launch_id") WHERE words_due;
--> statement-breakpoint
CREATE INDEX "owner_nonces_issued" ON "owner_nonces" USING btree ("issued_at");
--> statement-breakpoint
CREATE INDEX "site_files_offered" ON "site_files" USING btree ("offered_at");
--> statement-breakpoint
CREATE INDEX "agents_owner" ON "agents" USING btree ("network","owner","address");
--> statement-breakpoint
CREATE INDEX "buckets_wallet" ON "buckets" USING btree ("network","creator_fee_wallet");
--> statement-breakpoint
CREATE INDEX "buckets_genesis" ON "buckets" USING btree ("network","genesis_address");
--> statement-breakpoint
CREATE INDEX "launches_mint" ON "launches" USING btree ("network","mint");
--> statement-breakpoint
CREATE INDEX "trades_kind" ON "trades" USING btree ("launch_id","kind","time","slot");
--> statement-breakpoint
CREATE INDEX "trades_wallet" ON "trades" USING btree ("launch_id","wallet","kind","time","slot");
--> statement-breakpoint
CREATE INDEX "trades_of_wallet" ON "trades" USING btree ("wallet","time","slot");
--> statement-breakpoint
-- Announcements to all nodes

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

CREATE FUNCTION announce_all_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('slipway_launches', '*');
  RETURN NULL;
END $$;
CREATE TRIGGER announce_insert AFTER INSERT ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_launches();
CREATE TRIGGER announce_update AFTER UPDATE ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_launches();
CREATE TRIGGER announce_delete AFTER DELETE ON launches
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_launches();
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON launches
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_launches();
CREATE TRIGGER announce_update AFTER UPDATE ON tokens
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_launches_of_tokens();

-- Whatever a node remembers of an agent is read again when any of this changes: `<network> <address> <address> …`.
CREATE FUNCTION announce_agents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('slipway_agents', network || ' ' || string_agg(address, ' '))
  FROM (
    SELECT network, address, (row_number() OVER (PARTITION BY network ORDER BY address) - 1) / 150 AS part
    FROM changed
  ) AS numbered
  GROUP BY network, part;
  RETURN NULL;
END $$;

CREATE FUNCTION announce_all_agents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('slipway_agents', '*');
  RETURN NULL;
END $$;
CREATE TRIGGER announce_insert AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_update AFTER UPDATE ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_delete AFTER DELETE ON agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON agents
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_agents();
CREATE TRIGGER announce_insert AFTER INSERT ON verified_agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_update AFTER UPDATE ON verified_agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_delete AFTER DELETE ON verified_agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON verified_agents
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_agents();
CREATE TRIGGER announce_insert AFTER INSERT ON authored_cards
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_update AFTER UPDATE ON authored_cards
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_delete AFTER DELETE ON authored_cards
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON authored_cards
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_agents();
CREATE TRIGGER announce_insert AFTER INSERT ON curated_agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_update AFTER UPDATE ON curated_agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_delete AFTER DELETE ON curated_agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON curated_agents
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_agents();

--> statement-breakpoint
-- The list of agents: its words, its counts, and what operators set

-- Sorted, so that two statements that add the same words never wait for each other.
CREATE FUNCTION learn_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO agent_words (word)
  SELECT DISTINCT word FROM added, unnest(string_to_array(search_text, ' ')) AS word
  WHERE length(word) BETWEEN 3 AND 40 ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER learn_insert AFTER INSERT ON agent_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_words();
CREATE TRIGGER learn_update AFTER UPDATE ON agent_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_words();

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
CREATE TRIGGER count_insert AFTER INSERT ON agent_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed_agents();
CREATE TRIGGER count_update AFTER UPDATE ON agent_listing
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed_agents();
CREATE TRIGGER count_delete AFTER DELETE ON agent_listing
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_listed_agents();
CREATE TRIGGER count_truncate AFTER TRUNCATE ON agent_listing
  FOR EACH STATEMENT EXECUTE FUNCTION count_listed_agents();

-- An agent that is removed and comes back is as verified, spotlighted and hidden as it was.
CREATE FUNCTION fill_in_curation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT verified_at INTO NEW.verified_at FROM verified_agents
  WHERE network = NEW.network AND address = NEW.address;
  SELECT spotlighted_at, hidden_at INTO NEW.spotlighted_at, NEW.hidden_at FROM curated_agents
  WHERE network = NEW.network AND address = NEW.address;
  RETURN NEW;
END $$;
CREATE TRIGGER fill_in_curation BEFORE INSERT ON agent_listing
  FOR EACH ROW EXECUTE FUNCTION fill_in_curation();

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
CREATE TRIGGER list_curation AFTER INSERT OR UPDATE OR DELETE ON curated_agents
  FOR EACH ROW EXECUTE FUNCTION list_curation();

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
CREATE TRIGGER list_curation AFTER INSERT OR UPDATE OR DELETE ON verified_agents
  FOR EACH ROW EXECUTE FUNCTION list_curation();
CREATE TRIGGER list_curation AFTER INSERT OR UPDATE OR DELETE ON authored_cards
  FOR EACH ROW EXECUTE FUNCTION list_curation();
CREATE TRIGGER unlist_delete AFTER DELETE ON agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION unlist_agents();
CREATE TRIGGER unlist_truncate AFTER TRUNCATE ON agents
  FOR EACH STATEMENT EXECUTE FUNCTION unlist_agents();

--> statement-breakpoint
-- Cards that owners have signed

-- A card that an owner has signed lapses for good when the agent gets another owner, even if it returns to the first one.
CREATE FUNCTION lapse_cards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM authored_cards USING changed
  WHERE authored_cards.network = changed.network AND authored_cards.address = changed.address
    AND authored_cards.owner <> changed.owner AND authored_cards.slot <= changed.slot;
  RETURN NULL;
END $$;
CREATE TRIGGER lapse_insert AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION lapse_cards();
CREATE TRIGGER lapse_update AFTER UPDATE ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION lapse_cards();

--> statement-breakpoint
-- Events

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
  -- What each event carries. Null if none of them carries anything.
  data jsonb[],
  PRIMARY KEY (tx, place)
);

-- Runs at commit. The lock is held from here until the transaction has ended and its rows are visible, and the ids are drawn
-- under the lock: so ids follow the order of commits, however long a transaction takes before it commits. No client can
-- delay another while it holds the lock, because nothing more than the commit comes after this.
-- Ids follow the clock, in milliseconds. A database that is restored from a backup has lost the newest events, and with them how
-- far the ids had come; the clock still knows. So an id that a client has seen is never given to another event.
-- Events that carry different data stay apart.
CREATE FUNCTION write_events() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE CONSTRAINT TRIGGER write_events AFTER INSERT ON event_drafts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION write_events();

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
CREATE TRIGGER draft_events_insert AFTER INSERT ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_launch_events();
CREATE TRIGGER draft_events_update AFTER UPDATE ON launches
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_launch_events();

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
CREATE TRIGGER forget_milestones_delete AFTER DELETE ON launches
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION forget_milestones();
CREATE TRIGGER forget_milestones_truncate AFTER TRUNCATE ON launches
  FOR EACH STATEMENT EXECUTE FUNCTION forget_milestones();

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
CREATE TRIGGER draft_events AFTER UPDATE ON buckets
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_moves();

CREATE FUNCTION note_completion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.is_complete AND (TG_OP = 'INSERT' OR NOT OLD.is_complete) THEN
    NEW.completed_at := clock_timestamp();
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER note_completion BEFORE INSERT OR UPDATE ON chain_progress
  FOR EACH ROW EXECUTE FUNCTION note_completion();

-- The documents of an agent without the times of their fetches. They can't be compared as `jsonb`: see the table.
CREATE FUNCTION without_fetch_times(documents json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(documents::text, '"fetchedAtMs":\d+', '', 'g')
$$;

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
CREATE TRIGGER draft_events_insert AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_agent_events();
CREATE TRIGGER draft_events_update AFTER UPDATE ON agents
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_agent_events();
CREATE TRIGGER draft_events_delete AFTER DELETE ON agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_agent_events();

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
CREATE TRIGGER draft_events AFTER INSERT OR DELETE ON verified_agents
  FOR EACH ROW EXECUTE FUNCTION draft_curation_event('verified');
CREATE TRIGGER draft_events AFTER INSERT OR DELETE ON authored_cards
  FOR EACH ROW EXECUTE FUNCTION draft_curation_event('card');
CREATE TRIGGER draft_events_update AFTER UPDATE ON authored_cards
  FOR EACH ROW WHEN ((OLD.body, OLD.owner) IS DISTINCT FROM (NEW.body, NEW.owner))
  EXECUTE FUNCTION draft_curation_event('card');
CREATE TRIGGER draft_events_insert AFTER INSERT ON curated_agents
  FOR EACH ROW WHEN (NEW.spotlighted_at IS NOT NULL)
  EXECUTE FUNCTION draft_curation_event('spotlight');
CREATE TRIGGER draft_events_update AFTER UPDATE ON curated_agents
  FOR EACH ROW WHEN (OLD.spotlighted_at IS DISTINCT FROM NEW.spotlighted_at)
  EXECUTE FUNCTION draft_curation_event('spotlight');
CREATE TRIGGER draft_hiding_insert AFTER INSERT ON curated_agents
  FOR EACH ROW WHEN (NEW.hidden_at IS NOT NULL)
  EXECUTE FUNCTION draft_curation_event('hidden');
CREATE TRIGGER draft_hiding_update AFTER UPDATE ON curated_agents
  FOR EACH ROW WHEN ((OLD.hidden_at IS NULL) <> (NEW.hidden_at IS NULL))
  EXECUTE FUNCTION draft_curation_event('hidden');

--> statement-breakpoint
-- Activity of launches

-- A launch that is registered again starts from the beginning.
CREATE FUNCTION delete_launch_activity() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER launches_delete_activity AFTER DELETE ON launches
REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_launch_activity();

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
CREATE TRIGGER draft_events AFTER INSERT ON launch_activity
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION draft_pool_moves();

--> statement-breakpoint
-- Hosted documents

-- Follows what the chain says about the documents of agents that were minted here: since when the agent no longer names them,
-- and whose they are, if that isn't known yet. A transfer doesn't change whose they are, or anyone could use up another
-- wallet's limit. The host of the URI doesn't matter here, because only a document that has been named is affected.
CREATE FUNCTION follow_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents SET owner = coalesce(documents.owner, changed.owner), unnamed_at = CASE
      WHEN documents.sha256 = changed.sha256 THEN NULL
      ELSE coalesce(documents.unnamed_at, now()) END
  FROM (
    SELECT network, address, owner,
      coalesce(substring(agent_uri FROM '^[^?#]*/v1/documents/([0-9a-f]{64})\.json(?:[?#]|$)'), '') AS sha256
    FROM changed
  ) AS changed
  WHERE documents.network = changed.network AND documents.asset = changed.address AND documents.named_at IS NOT NULL
    AND (documents.owner IS NULL
      OR (documents.unnamed_at IS NULL) <> (documents.sha256 = changed.sha256));
  RETURN NULL;
END $$;

CREATE FUNCTION unname_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents SET unnamed_at = now() FROM changed
  WHERE documents.network = changed.network AND documents.asset = changed.address
    AND documents.named_at IS NOT NULL AND documents.unnamed_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER documents_insert AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_documents();
CREATE TRIGGER documents_update AFTER UPDATE ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_documents();
CREATE TRIGGER documents_delete AFTER DELETE ON agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION unname_documents();

--> statement-breakpoint
-- The list of launches: its counts, its names and its order

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
CREATE TRIGGER count_insert AFTER INSERT ON launch_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed_launches();
CREATE TRIGGER count_update AFTER UPDATE ON launch_listing
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_listed_launches();
CREATE TRIGGER count_delete AFTER DELETE ON launch_listing
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_listed_launches();
CREATE TRIGGER count_truncate AFTER TRUNCATE ON launch_listing
  FOR EACH STATEMENT EXECUTE FUNCTION count_listed_launches();

-- What `toSearchWords` makes of ASCII text.
CREATE FUNCTION ascii_words(words text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT left(trim(regexp_replace(lower(words COLLATE "C"), '[^a-z0-9]+', ' ', 'g')), 256)
$$;

CREATE FUNCTION has_other_letters(words text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT words COLLATE "C" ~ '[^\x01-\x7f]'
$$;

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
CREATE TRIGGER name_insert AFTER INSERT ON launch_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_launches();
CREATE TRIGGER name_update AFTER UPDATE ON launch_listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION name_launches();
CREATE TRIGGER name_delete AFTER DELETE ON launch_listing
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION name_launches();
CREATE TRIGGER name_truncate AFTER TRUNCATE ON launch_listing
  FOR EACH STATEMENT EXECUTE FUNCTION name_launches();

-- Sorted, so that two statements that add the same words never wait for each other.
CREATE FUNCTION learn_launch_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO launch_words (word)
  SELECT DISTINCT word FROM added, unnest(string_to_array(search_text, ' ')) AS word
  WHERE length(word) BETWEEN 3 AND 40 AND NOT words_due ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER learn_insert AFTER INSERT ON launch_names
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_launch_words();
CREATE TRIGGER learn_update AFTER UPDATE ON launch_names
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION learn_launch_words();

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

CREATE FUNCTION rank_launches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM launch_listing WHERE launch_id IN (SELECT launch_id FROM changed) ORDER BY launch_id FOR UPDATE;
  UPDATE launch_listing AS listed SET by_raised = figures.by_raised, by_progress = figures.by_progress
  FROM (SELECT DISTINCT launch_id FROM changed) AS moved CROSS JOIN LATERAL rank_figures(moved.launch_id) AS figures
  WHERE listed.launch_id = moved.launch_id
    AND (listed.by_raised, listed.by_progress) IS DISTINCT FROM (figures.by_raised, figures.by_progress);
  RETURN NULL;
END $$;

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
CREATE TRIGGER list_insert AFTER INSERT ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_launches();
CREATE TRIGGER list_update AFTER UPDATE ON launches
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_launches();
CREATE TRIGGER list_delete AFTER DELETE ON launches
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_launches();
CREATE TRIGGER list_truncate AFTER TRUNCATE ON launches
  FOR EACH STATEMENT EXECUTE FUNCTION list_launches();
CREATE TRIGGER rename_update AFTER UPDATE ON tokens
  REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rename_launches();
CREATE TRIGGER rank_insert AFTER INSERT ON launch_activity
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
CREATE TRIGGER rank_update AFTER UPDATE ON launch_activity
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
CREATE TRIGGER rank_delete AFTER DELETE ON launch_activity
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
CREATE TRIGGER rank_insert AFTER INSERT ON activity_sources
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();
CREATE TRIGGER rank_update AFTER UPDATE ON activity_sources
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION rank_launches();

--> statement-breakpoint
-- Trades

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
