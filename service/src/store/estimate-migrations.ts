import type pg from 'pg'
import { isSearchPrepared, SEARCHED } from './prepare-search.ts'
import type { Migration } from './read-migrations.ts'

/** Measured on two shared cores of a virtual machine, and rounded up. */
const SECONDS_PER_MIGRATION = 0.05
const SECONDS_PER_ROW = { transaction: 0, batches: 150e-6, index: 10e-6, search: 60e-6 }

/**
 * How long the migrations take if no transaction makes them wait. Nearly all of it depends on the rows in large
 * tables.
 */
export async function estimateSeconds(client: pg.Client, pending: readonly Migration[]): Promise<number> {
  const counts = new Map<string, number>()
  const count = async (table: string) => {
    const rows = counts.get(table) ?? (await countRows(client, table))
    counts.set(table, rows)
    return rows
  }
  let seconds = pending.length * SECONDS_PER_MIGRATION
  for (const step of pending.flatMap(({ steps }) => steps))
    if (step.kind !== 'transaction') seconds += (await count(step.table)) * SECONDS_PER_ROW[step.kind]
  for (const searched of SEARCHED)
    if (!(await isSearchPrepared(client, searched)))
      seconds += (await count(searched)) * SECONDS_PER_ROW.search
  return Math.ceil(seconds)
}

/** 0 if the table does not exist yet. */
async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query('SELECT to_regclass($1) AS name', [table])
  if (!rows[0]?.name) return 0
  const { rows: counted } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`)
  return Number(counted[0]?.count)
}
