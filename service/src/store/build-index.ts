import type pg from 'pg'
import { transact } from './migration-transaction.ts'

/**
 * Builds an index without blocking writes, unless it exists. An interrupted build leaves an index that is never used,
 * so that index is dropped and built again. Must not run in a transaction.
 */
export async function buildIndex(client: pg.Client, name: string, statement: string): Promise<void> {
  const isValid = await isIndexValid(client, name)
  if (isValid) return
  if (await isOnPartitionedTable(client, statement))
    return buildOnPartitions(client, name, isValid === undefined, statement)
  // Both wait for earlier transactions, such as a backup, but no query waits for them in turn.
  if (isValid === false) await client.query(`DROP INDEX CONCURRENTLY "${name}"`)
  await client.query(statement.replace(/INDEX (CONCURRENTLY )?/, 'INDEX CONCURRENTLY '))
}

const TABLE = / ON "?(\w+)"?/

async function isOnPartitionedTable(client: pg.Client, statement: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'p'`,
    [TABLE.exec(statement)?.[1]],
  )
  return rowCount === 1
}

/**
 * PostgreSQL builds such an index concurrently only for one partition at a time. The whole is valid once every
 * partition has it.
 */
async function buildOnPartitions(client: pg.Client, name: string, isNew: boolean, statement: string) {
  // Partitions that are created from now on have it.
  if (isNew) await transact(client, () => client.query(statement.replace(' ON ', ' ON ONLY ')))
  let partition = await findWithout(client, name)
  while (partition !== undefined) {
    const part = `${partition}_${name}`
    await buildIndex(client, part, statement.replace(name, part).replace(TABLE, ` ON "${partition}"`))
    await transact(client, () => client.query(`ALTER INDEX "${name}" ATTACH PARTITION "${part}"`))
    partition = await findWithout(client, name)
  }
}

/** A partition that doesn't have the index yet. */
async function findWithout(client: pg.Client, name: string): Promise<string | undefined> {
  const { rows } = await client.query<{ partition: string }>(
    `SELECT relname AS partition FROM pg_index AS whole
       JOIN pg_inherits AS partitions ON partitions.inhparent = whole.indrelid
       JOIN pg_class ON pg_class.oid = partitions.inhrelid
     WHERE whole.indexrelid = to_regclass($1) AND NOT EXISTS (
       SELECT FROM pg_inherits AS parts JOIN pg_index AS part ON part.indexrelid = parts.inhrelid
       WHERE parts.inhparent = whole.indexrelid AND part.indrelid = pg_class.oid)
     ORDER BY relname LIMIT 1`,
    [name],
  )
  return rows[0]?.partition
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
