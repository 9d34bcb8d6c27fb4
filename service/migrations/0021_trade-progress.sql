CREATE TABLE "trade_progress" (
	"network" text NOT NULL,
	"genesis_address" text NOT NULL,
	"address" text NOT NULL,
	"settled" jsonb,
	"recent" jsonb NOT NULL,
	"gaps" jsonb NOT NULL,
	"has_origin" boolean NOT NULL,
	"lacks_history" boolean NOT NULL,
	CONSTRAINT "trade_progress_network_genesis_address_address_pk" PRIMARY KEY("network","genesis_address","address")
);
--> statement-breakpoint
CREATE TABLE "trade_reading" (
	"network" text PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
