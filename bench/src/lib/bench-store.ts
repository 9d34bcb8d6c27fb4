import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '@slipway/embedded-postgres'
import { type ConnectionOptions, type Database, openDatabase } from '@slipway/service/store/database'
import { insertLaunches } from '@slipway/service/store/launches'
import { migrate } from '@slipway/service/store/migrate'
import { sampleLaunch } from './sample-launches.ts'

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

const BATCH = 5_000

/** Stores the first `count` sample launches. `onBatch` gets the indexes of each batch. */
export async function insertSampleLaunches(
  database: Database,
  count: number,
  onBatch: (indexes: number[]) => Promise<void> = async () => {},
): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    const indexes = Array.from({ length: Math.min(BATCH, count - start) }, (_, at) => start + at)
    await insertLaunches(
      database,
      indexes
        .map(sampleLaunch)
        .map(({ token: { address: mint, ...about }, id: _, version: __, ...launch }) => ({
          launch,
          token: { network: launch.network, mint, ...about },
        })),
    )
    await onBatch(indexes)
  }
}
