import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import { type ConnectionOptions, type Database, openDatabase } from '@slipway/service/store/database'
import { migrate } from '@slipway/service/store/migrate'

/** Runs `work` with an empty store in a PostgreSQL of its own, and removes both afterwards. */
export async function withStore(
  work: (database: Database, connection: ConnectionOptions) => Promise<void>,
  limits: { statementMs?: number } = {},
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  const server = await openEmbeddedPostgres({ dataDir, role: 'owner', log: quiet })
  const observer = { onQuery: () => {}, onConnectionLost: () => {} }
  const database = openDatabase(server.connection, observer, limits)
  try {
    await migrate(server.connection)
    await work(database, server.connection)
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
