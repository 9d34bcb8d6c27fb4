CREATE TABLE "documents" (
	"sha256" text NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"body" "bytea" NOT NULL,
	"card" "bytea",
	"size" integer NOT NULL,
	"client" text,
	"prepared_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"named_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "documents_sha256_network_asset_pk" PRIMARY KEY("sha256","network","asset")
);
--> statement-breakpoint
CREATE INDEX "documents_pending" ON "documents" USING btree ("prepared_at","client","size") WHERE named_at IS NULL AND removed_at IS NULL;