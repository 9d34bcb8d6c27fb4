import type { Config } from '../config.ts'
import { createShutdownList } from '../shutdown.ts'
import { type ConnectionOptions, type Database, openDatabase } from '../store/database.ts'
import { createLog } from '../telemetry/log.ts'
import { openStore } from './open-store.ts'

/** Runs a command on the store, beside a running service or without one. */
export async function withStore(
  config: Config,
  work: (database: Database, connection: ConnectionOptions) => Promise<void>,
): Promise<void> {
  // A command speaks for itself; the log is for what goes wrong.
  const log = createLog(config.logLevel === 'info' ? 'warn' : config.logLevel)
  const shutdown = createShutdownList((part, error) =>
    log.error({ err: error, part }, 'a part did not stop cleanly'),
  )
  try {
    const { connection } = await openStore(config, { role: 'guest', log, shutdown })
    const database = openDatabase(connection, {
      onQuery: () => {},
      onConnectionLost: error => log.warn({ err: error }, 'a database connection was lost'),
    })
    shutdown.add('database', database.close)
    await work(database, connection)
  } finally {
    await shutdown.run()
  }
}
