CREATE TABLE "agent_delegations" (
	"network" text NOT NULL,
	"record" text NOT NULL,
	"agent" text NOT NULL,
	"executive" text NOT NULL,
	"wallet" text NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"first_owner" text,
	"slot" bigint NOT NULL,
	CONSTRAINT "agent_delegations_network_record_pk" PRIMARY KEY("network","record")
);
--> statement-breakpoint
CREATE INDEX "agent_delegations_agent" ON "agent_delegations" USING btree ("network","agent");