import { EmbeddedPostgresError, type Log, openEmbeddedPostgres } from '@slipway/embedded-postgres'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { ConnectionOptions } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'

const EMBEDDED_STOP_MS = 3_000

/** The database that is configured, or one of our own, with this version's tables. */
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
    return { connection, place: 'the database of DATABASE_URL' }
  }
  const embedded = await openEmbeddedPostgres({ dataDir: config.dataDir, role, log }).catch(error => {
    if (!(error instanceof EmbeddedPostgresError)) throw error
    throw new OperatorError(error.message, { cause: error })
  })
  shutdown.add('embedded PostgreSQL', embedded.stop, EMBEDDED_STOP_MS)
  await migrate(embedded.connection)
  return { connection: embedded.connection, place: `embedded PostgreSQL in ${config.dataDir}/db` }
}
