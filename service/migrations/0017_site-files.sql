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
CREATE INDEX "site_files_offered" ON "site_files" USING btree ("offered_at");