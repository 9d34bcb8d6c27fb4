import type pg from 'pg'
import { buildIndex } from './build-index.ts'
import { transact } from './migration-transaction.ts'
import type { Migration, Step } from './read-migrations.ts'

const BATCH_ROWS = 1_000

/** Which migration was applied last, and how many steps of the next one are done. */
export interface MigrationState {
  last: number
  next: { when: number; steps: number } | undefined
}

export async function readMigrationState(client: pg.Client): Promise<MigrationState> {
  const { rows: found } = await client.query<{ applied: string | null; steps: string | null }>(
    `SELECT to_regclass('drizzle.__drizzle_migrations') AS applied, to_regclass('drizzle.migration_steps') AS steps`,
  )
  const { applied, steps } = found[0] ?? {}
  if (!applied) return { last: 0, next: undefined }
  const { rows } = await client.query('SELECT max(created_at) AS last FROM drizzle.__drizzle_migrations')
  const { rows: started } = steps
    ? await client.query('SELECT created_at, steps FROM drizzle.migration_steps')
    : { rows: [] }
  return {
    last: Number(rows[0]?.last ?? 0),
    next: started[0] && { when: Number(started[0].created_at), steps: started[0].steps },
  }
}

/**
 * Applies the migrations that the database does not have, oldest first. Throws if a lock is not free in time.
 * Finished steps are kept, and the next call continues after them.
 */
export async function applyMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const { last, next } = await readMigrationState(client)
  const pending = migrations.filter(({ when }) => when > last)
  if (pending.length > 0) await client.query(STATE_TABLES)
  for (const migration of pending) {
    const done = next?.when === migration.when ? next.steps : 0
    for (const [at, step] of migration.steps.entries())
      if (at >= done) await applyStep(client, step, () => record(client, migration, at + 1))
  }
}

/** The first table belongs to Drizzle's own migrator, and databases of earlier versions have it. */
const STATE_TABLES = `
  CREATE SCHEMA IF NOT EXISTS drizzle;
  CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (
    id serial PRIMARY KEY, hash text NOT NULL, created_at bigint
  );
  CREATE TABLE IF NOT EXISTS drizzle.migration_steps (created_at bigint PRIMARY KEY, steps int NOT NULL)`

async function applyStep(client: pg.Client, step: Step, onDone: () => Promise<void>): Promise<void> {
  if (step.kind === 'index') await buildIndex(client, step.index, step.statement)
  else if (step.kind === 'batches') await runBatches(client, step)
  await transact(client, async () => {
    for (const statement of step.kind === 'transaction' ? step.statements : []) await client.query(statement)
    await onDone()
  })
}

/**
 * A batch's rows can't change until the batch is committed. The key must consist of text columns, be unique and never
 * change. After an interruption, batches start again from the first.
 */
async function runBatches(client: pg.Client, { table, key, statement }: Step & { kind: 'batches' }) {
  const columns = key.join(', ')
  const backwards = key.map(column => `${column} DESC`).join(', ')
  const sql = `
    WITH batch AS (
      SELECT * FROM ${table} WHERE (${columns}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})
      ORDER BY ${columns} LIMIT ${BATCH_ROWS} FOR SHARE
    ), written AS (
      ${statement}
    )
    SELECT ${columns} FROM batch ORDER BY ${backwards} LIMIT 1`
  let last: string[] | undefined = key.map(() => '')
  while (last) {
    const parameters: string[] = last
    const { rows } = await transact(client, () =>
      client.query<string[]>({ text: sql, values: parameters, rowMode: 'array' }),
    )
    last = rows[0]
  }
}

async function record(client: pg.Client, { when, hash, steps }: Migration, done: number): Promise<void> {
  await client.query('DELETE FROM drizzle.migration_steps')
  if (done < steps.length)
    await client.query('INSERT INTO drizzle.migration_steps (created_at, steps) VALUES ($1, $2)', [
      when,
      done,
    ])
  else
    await client.query('INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [
      hash,
      when,
    ])
}
