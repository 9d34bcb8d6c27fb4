CREATE TABLE "buckets" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"genesis_address" text NOT NULL,
	"kind" text NOT NULL,
	"creator_fee_wallet" text,
	"slot" bigint NOT NULL,
	CONSTRAINT "buckets_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
CREATE TABLE "chain_progress" (
	"network" text PRIMARY KEY NOT NULL,
	"slot" bigint NOT NULL,
	"is_complete" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text NOT NULL,
	"genesis_address" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "launches" ADD COLUMN "hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "launches" ADD COLUMN "slot" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "buckets_wallet" ON "buckets" USING btree ("network","creator_fee_wallet");--> statement-breakpoint
CREATE INDEX "buckets_genesis" ON "buckets" USING btree ("network","genesis_address");