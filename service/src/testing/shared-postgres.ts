import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import type { TestProject } from 'vitest/node'
import { migrate } from '../store/migrate.ts'
import { MIGRATED, runSql } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { host: string; port: number; user: string; database: string }
    /** A folder `db` to copy into a DATA_DIR: an embedded database with this version's tables. */
    migratedFolder: string
  }
}

/**
 * One real PostgreSQL for all test files, the same one that `npm start` runs. Each test creates its own database in
 * it.
 */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const open = () => openEmbeddedPostgres({ dataDir, role: 'owner', log: quiet })
  const first = await open()
  // These tests don't need what they write to survive a crash, and their databases live for seconds.
  for (const setting of ['fsync', 'full_page_writes', 'autovacuum'])
    await runSql(first.connection, `ALTER SYSTEM SET ${setting} = off`)
  await runSql(first.connection, 'SELECT pg_reload_conf()')
  await migrate(first.connection)
  await first.stop()
  const migrated = join(dataDir, 'migrated')
  execFileSync('cp', ['-Rp', join(dataDir, 'db'), migrated])
  project.provide('migratedFolder', migrated)
  const server = await open()
  const { connection } = server
  await runSql(
    { ...connection, database: 'postgres' },
    `CREATE DATABASE ${MIGRATED} TEMPLATE ${connection.database}`,
  )
  project.provide('postgres', connection)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
