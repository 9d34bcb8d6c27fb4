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
  }
}

/** One real PostgreSQL for all test files, the same one that `npm start` runs. Each test creates its own database in it. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-test-'))
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const server = await openEmbeddedPostgres({ dataDir, role: 'owner', log: quiet })
  for (const statement of [
    // These tests don't need what they write to survive a crash.
    'ALTER SYSTEM SET fsync = off',
    'ALTER SYSTEM SET full_page_writes = off',
    'SELECT pg_reload_conf()',
    `CREATE DATABASE ${MIGRATED}`,
  ])
    await runSql(server.connection, statement)
  await migrate({ ...server.connection, database: MIGRATED })
  project.provide('postgres', server.connection)
  return async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
