CREATE TABLE "card_signatures" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"digest" text NOT NULL,
	"signature" text NOT NULL,
	"signed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "card_signatures_network_address_digest_pk" PRIMARY KEY("network","address","digest")
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
ALTER TABLE "authored_cards" ALTER COLUMN "body" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "authored_cards" ADD COLUMN "owner" text;--> statement-breakpoint
ALTER TABLE "authored_cards" ADD COLUMN "slot" bigint;--> statement-breakpoint
CREATE INDEX "owner_nonces_issued" ON "owner_nonces" USING btree ("issued_at");
--> statement-breakpoint
--> new-transaction
-- A card that an owner has signed lapses for good when the agent gets another owner, even if it returns to the first one.
CREATE FUNCTION lapse_cards() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM authored_cards USING changed
  WHERE authored_cards.network = changed.network AND authored_cards.address = changed.address
    AND authored_cards.owner <> changed.owner AND authored_cards.slot <= changed.slot;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER lapse_insert AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION lapse_cards();
--> statement-breakpoint
CREATE TRIGGER lapse_update AFTER UPDATE ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION lapse_cards();
