import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { EmbeddedPostgresError, openDataDir, openEmbeddedPostgres } from '@slipway/embedded-postgres'
import { connectionsOfNode } from '../app/limits.ts'
import { createProgress, type Progress } from '../boot/progress.ts'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { createShutdownList, type ShutdownList } from '../shutdown.ts'
import { countServingNodes } from '../store/changes.ts'
import { readConnectionsMax } from '../store/connect-once.ts'
import { type ConnectionOptions, type Database, openDatabase } from '../store/database.ts'
import { describeConnection } from '../store/describe-connection.ts'
import { type MigrationObserver, migrate } from '../store/migrate.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { settleRestore } from './backup/replace-content.ts'
import { type CommandContext, confirm, UsageError } from './command-context.ts'

const EMBEDDED_STOP_MS = 3_000

interface Opening {
  log: Log
  shutdown: ShutdownList
  progress: Progress
}

/** Opens the service's database, the configured one or the embedded one, and migrates it to this version. */
export async function openStore(
  config: Config,
  opening: Opening,
): Promise<{ connection: ConnectionOptions; place: string }> {
  const { databaseUrl } = config
  if (databaseUrl === undefined) {
    const connection = await openEmbedded(config, 'owner', opening, connectionsOfNode(config.workers))
    await migrate(connection, observe(opening))
    return { connection, place: `embedded PostgreSQL in ${config.dataDir}/db` }
  }
  const connection = { connectionString: databaseUrl }
  await migrateConfigured(connection, opening)
  await warnOfConnections(connection, config.workers, opening.log)
  return { connection, place: 'PostgreSQL at DATABASE_URL' }
}

/** A copy is of the store as it is. Otherwise, the store is migrated first. */
type Access = 'read' | 'change' | 'copy'

interface OpenStore {
  database: Database
  connection: ConnectionOptions
  log: Log
  shutdown: ShutdownList
  /** How many migrations the store needed. */
  migrations: number
}

/**
 * Says which store a command works on, runs the command, and closes the store. A command never creates a store, and
 * changes the embedded one only if the operator means it.
 */
export async function withStore<T>(
  context: CommandContext,
  access: Access,
  work: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const { config, host, output } = context
  const settled = config.databaseUrl === undefined ? await settleRestore(config.dataDir) : undefined
  if (settled !== undefined) output.facts({ before: settled })
  await assertStoreChosen(context, access === 'change' ? 'change' : 'read')
  // A command prints its own results, so the log is only for problems.
  const level = config.logLevel === 'info' ? 'warn' : config.logLevel
  const log = createLog(level, { stream: process.stderr, env: host.env })
  const shutdown = createLoggedShutdownList(log)
  const progress = createProgress(host.stderr, output.isJson ? { onLine: () => {} } : {})
  try {
    progress.show('Opening the store')
    const opened = await openForCommand(context, access, { log, shutdown, progress })
    progress.clear()
    return await work({ ...opened, log, shutdown })
  } finally {
    progress.clear()
    await shutdown.run()
  }
}

async function openForCommand(
  context: CommandContext,
  access: Access,
  opening: Opening,
): Promise<Pick<OpenStore, 'database' | 'connection' | 'migrations'>> {
  const { config, output } = context
  const { log, shutdown, progress } = opening
  const open = (connection: ConnectionOptions) => {
    const database = openDatabase(connection, {
      onQuery: () => {},
      onConnectionLost: error => log.warn({ err: error }, 'lost a database connection'),
    })
    shutdown.add('database', database.close)
    return database
  }
  const state = (store: string) => {
    progress.clear()
    output.facts({ store, ...context.networks })
  }

  if (config.databaseUrl !== undefined) {
    const connection = { connectionString: config.databaseUrl }
    const migrations = await migrateConfigured(connection, opening)
    state(`${describeConnection(connection)} (DATABASE_URL)`)
    return { connection, database: open(connection), migrations }
  }
  const connection = await openEmbedded(config, 'guest', opening)
  const database = open(connection)
  const isServed = (await countServingNodes(database)) > 0
  state(
    `${describeEmbedded(config)}, ${isServed ? 'used by a running service' : 'not used by a running service'}`,
  )
  if (access === 'change' && !isServed) await assertChangeMeant(context)
  const migrations = access === 'copy' ? 0 : await migrate(connection, observe(opening))
  return { connection, database, migrations }
}

async function openEmbedded(
  { dataDir }: Config,
  role: 'owner' | 'guest',
  { log, shutdown }: Opening,
  connections?: number,
): Promise<ConnectionOptions> {
  const embedded = await openEmbeddedServer(dataDir, role, log, connections)
  shutdown.add('embedded PostgreSQL', embedded.stop, EMBEDDED_STOP_MS)
  return embedded.connection
}

const SILENT = { info() {}, warn() {}, error() {} }

/** The server alone, which the caller stops. Throws an `OperatorError` if it can't be started or used. */
export const openEmbeddedServer = (
  dataDir: string,
  role: 'owner' | 'guest',
  log: Pick<Log, 'info' | 'warn' | 'error'> = SILENT,
  connections = 0,
) => openEmbeddedPostgres({ dataDir, role, log, connections }).catch(rethrow)

/** Others can enter it: root may run PostgreSQL as another user. */
export const createDataDir = (dataDir: string) => openDataDir(dataDir).catch(rethrow)

function rethrow(error: unknown): never {
  if (!(error instanceof EmbeddedPostgresError)) throw error
  throw new OperatorError(error.message, { cause: error })
}

const migrateConfigured = (connection: ConnectionOptions, opening: Opening) =>
  migrate(connection, observe(opening)).catch(error => {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(`DATABASE_URL${describePlace(connection)}: ${error.message}`, { cause: error })
  })

/** With too few connections, the last workers would not start, or queries would fail under load. */
export async function warnOfConnections(
  connection: ConnectionOptions,
  workers: number,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const needed = connectionsOfNode(workers)
  const allowed = await readConnectionsMax(connection).catch(() => needed)
  if (needed > allowed)
    log.warn(
      { workers, needed, allowed },
      "this node may need more connections than the database allows; raise PostgreSQL's max_connections, or lower WORKERS",
    )
}

/** Empty for a URL that `pg` cannot parse, for example because it names a certificate that is missing. */
function describePlace(connection: ConnectionOptions): string {
  try {
    return ` (${describeConnection(connection)})`
  } catch {
    return ''
  }
}

const observe = ({ progress, log }: Opening): MigrationObserver => ({
  onPending(count) {
    log.info({ migrations: count }, 'migrating the database')
    progress.show(`Applying ${count} migration${count === 1 ? '' : 's'}`)
  },
  onWaiting(reason) {
    log.info({ reason }, 'the migration is waiting')
    progress.show(`The migration is waiting: ${reason}`)
  },
})

export const createLoggedShutdownList = (log: Log) =>
  createShutdownList((part, error) => log.error({ err: error, part }, 'a part did not stop cleanly'))

/**
 * Throws if it isn't clear which store a command is for. Without DATABASE_URL that is the embedded one, which must exist:
 * an operator who forgets the variable must not change a demo and believe that the deployment has changed.
 */
export async function assertStoreChosen(
  { config, flags, output, networks }: CommandContext,
  access: 'read' | 'change',
): Promise<void> {
  if (config.databaseUrl !== undefined) {
    if (flags.has('embedded'))
      throw new UsageError('--embedded and DATABASE_URL name different stores. Leave one of them out.')
    return
  }
  const embedded = describeEmbedded(config)
  if (!(await hasDatabase(config)))
    throw new OperatorError(
      `DATABASE_URL is not set, and there is no ${embedded}. Set DATABASE_URL or DATA_DIR to the value that the service has.`,
    )
  const [variable] = config.deploymentVariables
  if (access === 'change' && variable !== undefined && !flags.has('embedded')) {
    output.facts({ store: `${embedded}, not changed`, ...networks })
    throw new OperatorError(
      `${variable} is set, but DATABASE_URL is not. Set DATABASE_URL to the value that the service has, or add --embedded to change the ${embedded}.`,
    )
  }
}

/** Asks whether to change an embedded store that no running service uses. Throws unless the answer is yes. */
export async function assertChangeMeant({ config, flags, host }: CommandContext): Promise<void> {
  if (flags.has('embedded')) return
  const answer = await confirm(host, 'No running service uses this store. Change it?')
  if (answer) return
  if (answer === false) throw new OperatorError('Nothing was changed.')
  throw new OperatorError(
    `DATABASE_URL is not set, and no running service uses the ${describeEmbedded(config)}. Set DATABASE_URL to the value that the service has, or add --embedded to change the embedded store.`,
  )
}

export function describeEmbedded({ dataDir }: Config): string {
  const path = relative(process.cwd(), join(dataDir, 'db'))
  return `embedded store in ${path.startsWith('..') ? join(dataDir, 'db') : `./${path}`}`
}

export async function hasDatabase({ dataDir }: Config): Promise<boolean> {
  return stat(join(dataDir, 'db', 'PG_VERSION')).then(
    () => true,
    // Other failures, such as a folder of another user, are explained when the store is opened.
    ({ code }) => code !== 'ENOENT' && code !== 'ENOTDIR',
  )
}

/** Opening the store migrates it, so there is nothing else to do. */
export async function migrateCommand(context: CommandContext): Promise<void> {
  const { output } = context
  await withStore(context, 'change', async ({ migrations }) => {
    output.json({ migrations })
    const applied = `Applied ${migrations} migration${migrations === 1 ? '' : 's'}. `
    output.line(`${migrations > 0 ? applied : ''}The database is up to date.`)
  })
}
