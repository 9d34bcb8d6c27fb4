CREATE TABLE "clusters" (
	"network" text PRIMARY KEY NOT NULL,
	"genesis_hash" text NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
ALTER TABLE "chain_progress" ADD COLUMN "doubted_at" timestamp (3) with time zone;