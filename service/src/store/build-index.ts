import type pg from 'pg'

/**
 * Builds an index without blocking writes, unless it exists. An interrupted build leaves an index that is never used, so
 * that index is dropped and built again. Must not run in a transaction.
 */
export async function buildIndex(client: pg.Client, name: string, statement: string): Promise<void> {
  const isValid = await isIndexValid(client, name)
  if (isValid) return
  // Both wait for earlier transactions, such as a backup, but no query waits for them in turn.
  if (isValid === false) await client.query(`DROP INDEX CONCURRENTLY "${name}"`)
  await client.query(statement.replace(/INDEX (CONCURRENTLY )?/, 'INDEX CONCURRENTLY '))
}

/** Undefined if the index does not exist. */
export async function isIndexValid(
  client: Pick<pg.Client, 'query'>,
  name: string,
): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  )
  return rows[0]?.valid
}
