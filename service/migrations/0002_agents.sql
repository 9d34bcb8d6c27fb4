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
	"body" "bytea" NOT NULL,
	CONSTRAINT "authored_cards_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "verified_agents" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"verified_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "verified_agents_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
ALTER TABLE "launches" ADD COLUMN "agent" text;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE FUNCTION announce_all_agents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('slipway_agents', '*');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER announce_insert AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_update AFTER UPDATE ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_delete AFTER DELETE ON agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON agents
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_agents();
--> statement-breakpoint
CREATE TRIGGER announce_insert AFTER INSERT ON verified_agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_update AFTER UPDATE ON verified_agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_delete AFTER DELETE ON verified_agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON verified_agents
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_agents();
--> statement-breakpoint
CREATE TRIGGER announce_insert AFTER INSERT ON authored_cards
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_update AFTER UPDATE ON authored_cards
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_delete AFTER DELETE ON authored_cards
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION announce_agents();
--> statement-breakpoint
CREATE TRIGGER announce_truncate AFTER TRUNCATE ON authored_cards
  FOR EACH STATEMENT EXECUTE FUNCTION announce_all_agents();
