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
	"hero_url" text,
	"website" text DEFAULT '' NOT NULL,
	"socials" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"verified_socials" text[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "launches_genesis" UNIQUE("network","genesis_address")
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
ALTER TABLE "launches" ADD CONSTRAINT "launches_network_mint_tokens_network_mint_fk" FOREIGN KEY ("network","mint") REFERENCES "public"."tokens"("network","mint") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "launches_mint" ON "launches" USING btree ("network","mint");