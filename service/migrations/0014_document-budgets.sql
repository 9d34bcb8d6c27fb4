ALTER TABLE "documents" ADD COLUMN "owner" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "unnamed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "documents_account" ON "documents" USING btree ("network","asset");--> statement-breakpoint
CREATE INDEX "documents_owner" ON "documents" USING btree ("network","owner","size") WHERE named_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "documents_named_client" ON "documents" USING btree ("client" text_pattern_ops,"named_at","size") WHERE named_at IS NOT NULL AND client IS NOT NULL;--> statement-breakpoint
CREATE INDEX "documents_unnamed" ON "documents" USING btree ("unnamed_at") WHERE unnamed_at IS NOT NULL;--> statement-breakpoint
-- Follows what the chain says about the documents of agents that were minted here: since when the agent no longer names them,
-- and whose they are, if that isn't known yet. A transfer doesn't change whose they are, or anyone could use up another
-- wallet's limit. The host of the URI doesn't matter here, because only a document that has been named is affected.
CREATE FUNCTION follow_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents SET owner = coalesce(documents.owner, changed.owner), unnamed_at = CASE
      WHEN documents.sha256 = changed.sha256 THEN NULL
      ELSE coalesce(documents.unnamed_at, now()) END
  FROM (
    SELECT network, address, owner,
      coalesce(substring(agent_uri FROM '^[^?#]*/v1/documents/([0-9a-f]{64})\.json(?:[?#]|$)'), '') AS sha256
    FROM changed
  ) AS changed
  WHERE documents.network = changed.network AND documents.asset = changed.address AND documents.named_at IS NOT NULL
    AND (documents.owner IS NULL
      OR (documents.unnamed_at IS NULL) <> (documents.sha256 = changed.sha256));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE FUNCTION unname_documents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE documents SET unnamed_at = now() FROM changed
  WHERE documents.network = changed.network AND documents.asset = changed.address
    AND documents.named_at IS NOT NULL AND documents.unnamed_at IS NULL;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER documents_insert AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_documents();
--> statement-breakpoint
CREATE TRIGGER documents_update AFTER UPDATE ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION follow_documents();
--> statement-breakpoint
CREATE TRIGGER documents_delete AFTER DELETE ON agents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION unname_documents();
--> statement-breakpoint
--> batches of documents by sha256, network, asset
-- Agents that were burnt before there was a trigger. If one of them is only missing in the index, its next read undoes this.
UPDATE documents SET unnamed_at = now() FROM batch
WHERE documents.sha256 = batch.sha256 AND documents.network = batch.network AND documents.asset = batch.asset
  AND documents.named_at IS NOT NULL AND documents.unnamed_at IS NULL
  AND NOT EXISTS (SELECT FROM agents WHERE agents.network = batch.network AND agents.address = batch.asset)
  AND NOT EXISTS (SELECT FROM launches WHERE launches.network = batch.network AND launches.genesis_address = batch.asset)
  AND NOT EXISTS (SELECT FROM buckets WHERE buckets.network = batch.network AND buckets.genesis_address = batch.asset);
