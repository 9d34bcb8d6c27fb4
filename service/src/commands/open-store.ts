import { EmbeddedPostgresError, openEmbeddedPostgres } from '@slipway/embedded-postgres'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { createShutdownList, type ShutdownList } from '../shutdown.ts'
import { type ConnectionOptions, type Database, openDatabase } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { createLog, type Log } from '../telemetry/log.ts'

const EMBEDDED_STOP_MS = 3_000

/** Opens the configured database or the embedded one, and migrates it to this version. */
export async function openStore(
  config: Config,
  { role, log, shutdown }: { role: 'owner' | 'guest'; log: Log; shutdown: ShutdownList },
): Promise<{ connection: ConnectionOptions; place: string }> {
  if (config.databaseUrl !== undefined) {
    const connection = { connectionString: config.databaseUrl }
    try {
      await migrate(connection)
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      throw new OperatorError(`DATABASE_URL: ${error.message}`, { cause: error })
    }
    return { connection, place: 'PostgreSQL at DATABASE_URL' }
  }
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, role, log }).catch(error => {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    throw new OperatorError(error.message, { cause: error })
  })
  shutdown.add('embedded PostgreSQL', embedded.stop, EMBEDDED_STOP_MS)
  await migrate(embedded.connection)
  return { connection: embedded.connection, place: `embedded PostgreSQL in ${config.dataDir}/db` }
}

interface OpenStore {
  database: Database
  connection: ConnectionOptions
  log: Log
  shutdown: ShutdownList
}

/** Runs a command on the store, whether or not a service is running, and closes the store afterwards. */
export async function withStore(config: Config, work: (store: OpenStore) => Promise<void>): Promise<void> {
  // A command prints its own results, so the log is only for problems.
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const shutdown = createLoggedShutdownList(log)
  try {
    const { connection } = await openStore(config, { role: 'guest', log, shutdown })
    const database = openDatabase(connection, {
      onQuery: () => {},
      onConnectionLost: error => log.warn({ err: error }, 'lost a database connection'),
    })
    shutdown.add('database', database.close)
    await work({ database, connection, log, shutdown })
  } finally {
    await shutdown.run()
  }
}

export const createLoggedShutdownList = (log: Log) =>
  createShutdownList((part, error) => log.error({ err: error, part }, 'a part did not stop cleanly'))
