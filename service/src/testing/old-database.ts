import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { applyMigrations } from '../store/apply-migrations.ts'
import type { ConnectionOptions } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { readMigrations } from '../store/read-migrations.ts'
import { createTestConnection } from './test-database.ts'

/** A database as an earlier version left it: with all migrations before the named one. */
export async function createOldDatabase(nextMigration: string) {
  const connection = await createTestConnection()
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const migrations = readMigrations()
    const at = migrations.findIndex(({ tag }) => tag.endsWith(`_${nextMigration}`))
    await applyMigrations(client, migrations.slice(0, at))
  } finally {
    await client.end()
  }
  return connection
}

/** A separate session, for example of a node that serves while another one migrates. It ends with the test. */
export async function openSession(connection: ConnectionOptions): Promise<pg.Client> {
  // Far longer than a migration makes a query wait, so that a blocked query fails with an error.
  const client = new pg.Client({ ...connection, statement_timeout: 10_000 })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Migrates in the background of the test. */
export function migrateObserved(connection: ConnectionOptions) {
  const pending: { count: number; seconds: number }[] = []
  const reasons: string[] = []
  const done = migrate(connection, {
    onPending: found => pending.push(found),
    onWaiting: reason => reasons.push(reason),
  })
  // If a test ends early, it has already reported another failure.
  done.catch(() => {})
  return {
    done,
    pending,
    reasons,
    /** Resolves once the migration has had to wait. */
    waits: () => expect.poll(() => reasons.length, { timeout: 30_000 }).toBeGreaterThan(0),
  }
}
