CREATE TABLE "activity_sources" (
	"launch_id" uuid PRIMARY KEY NOT NULL,
	"quote_mint" text,
	"quote_decimals" smallint,
	"base_decimals" smallint,
	"pool" text
);
--> statement-breakpoint
CREATE TABLE "launch_activity" (
	"launch_id" uuid NOT NULL,
	"time" timestamp (3) with time zone NOT NULL,
	"slot" bigint NOT NULL,
	"detail" smallint DEFAULT 0 NOT NULL,
	"raised" numeric NOT NULL,
	"sold" numeric NOT NULL,
	"supply" numeric NOT NULL,
	"price_quote" numeric,
	"price_base" numeric,
	"progress" integer,
	"participants" numeric,
	"creator_fees" numeric,
	CONSTRAINT "launch_activity_launch_id_time_slot_pk" PRIMARY KEY("launch_id","time","slot")
);
--> statement-breakpoint
CREATE INDEX "launch_activity_detail" ON "launch_activity" USING btree ("detail","time") WHERE detail < 2;
--> statement-breakpoint
CREATE FUNCTION delete_launch_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM launch_activity USING deleted WHERE launch_id = deleted.id;
  DELETE FROM activity_sources USING deleted WHERE launch_id = deleted.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER launches_delete_activity AFTER DELETE ON launches
REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION delete_launch_activity();
