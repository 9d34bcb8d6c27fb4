CREATE TABLE "trades" (
	"network" text NOT NULL,
	"genesis_address" text NOT NULL,
	"signature" text NOT NULL,
	"index" integer NOT NULL,
	"slot" bigint NOT NULL,
	"time" bigint NOT NULL,
	"kind" text NOT NULL,
	"wallet" text NOT NULL,
	"agent" text,
	"base_amount" numeric(20, 0) NOT NULL,
	"quote_amount" numeric(20, 0) NOT NULL,
	"protocol_fee" numeric(20, 0) NOT NULL,
	"creator_fee" numeric(20, 0) NOT NULL,
	"pool_fee" numeric(20, 0) NOT NULL,
	CONSTRAINT "trades_network_genesis_address_signature_index_pk" PRIMARY KEY("network","genesis_address","signature","index")
);
