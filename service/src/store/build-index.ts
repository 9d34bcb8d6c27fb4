import type pg from 'pg'

/**
 * Builds an index without blocking writes, unless it exists. A build that was interrupted leaves an index that is never
 * used: it is dropped and built again. Must not run in a transaction.
 */
export async function buildIndex(client: pg.Client, name: string, statement: string): Promise<void> {
  const isValid = await isIndexValid(client, name)
  if (isValid) return
  // Both wait for transactions that began earlier, such as a backup, and no query waits for them in turn.
  if (isValid === false) await client.query(`DROP INDEX CONCURRENTLY "${name}"`)
  await client.query(statement.replace(/INDEX (CONCURRENTLY )?/, 'INDEX CONCURRENTLY '))
}

/** Undefined if there is no such index. */
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
