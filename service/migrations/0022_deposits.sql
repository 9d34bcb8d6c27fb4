CREATE TABLE "deposits" (
	"network" text NOT NULL,
	"address" text NOT NULL,
	"owner" text NOT NULL,
	"bucket" text NOT NULL,
	"slot" bigint NOT NULL,
	CONSTRAINT "deposits_network_address_pk" PRIMARY KEY("network","address")
);
--> statement-breakpoint
ALTER TABLE "chain_progress" ADD COLUMN "has_deposits" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "deposits_owner" ON "deposits" USING btree ("network","owner");