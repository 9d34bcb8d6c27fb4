import { connectionsOfNode } from '../../app/limits.ts'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../operator-error.ts'
import type { ConnectionOptions } from '../../store/database.ts'
import { describeConnection } from '../../store/describe-connection.ts'
import { POOLED } from '../../store/detect-pooling.ts'
import { explainStoreFault, reasonOf } from '../../store/errors.ts'
import { type DatabaseReport, examineDatabase } from '../../store/examine-database.ts'
import { isRestoreUnsettled } from '../backup/replace-content.ts'
import { describeEmbedded, hasDatabase, openEmbeddedServer } from '../open-store.ts'
import { type Check, fail, formatMs, ok, warn } from './check.ts'

/** What the checks after this one need to know. Empty if the database can't be reached or does not exist yet. */
export interface DatabaseResult {
  checks: Check[]
  report?: DatabaseReport
}

export async function checkDatabase(config: Config): Promise<DatabaseResult> {
  if (config.databaseUrl !== undefined) {
    const { checks, report } = await examine({ connectionString: config.databaseUrl }, 'DATABASE_URL')
    return report ? { checks: [...checks, judgeConnections(config, report)], report } : { checks }
  }
  if (await isRestoreUnsettled(config.dataDir))
    return {
      checks: [
        fail(
          'database',
          'in-use',
          `a restore into DATA_DIR ${config.dataDir} has not finished`,
          'If it was interrupted, start the service: it first completes the restore.',
        ),
      ],
    }
  if (!(await hasDatabase(config)))
    return {
      checks: [ok('database', `no ${describeEmbedded(config)} yet: the first start creates it`)],
    }
  try {
    const embedded = await openEmbeddedServer(config.dataDir, 'guest')
    return await examine(embedded.connection, describeEmbedded(config)).finally(embedded.stop)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    const remedy = 'Do what the message says, or set DATABASE_URL.'
    return { checks: [fail('database', 'unreachable', error.message, remedy)] }
  }
}

async function examine(connection: ConnectionOptions, source: string): Promise<DatabaseResult> {
  const isConfigured = 'connectionString' in connection
  let place = source
  try {
    if (isConfigured) place = `${describeConnection(connection)} (${source})`
    const report = await examineDatabase(connection)
    return { checks: judge(report, place), report }
  } catch (error) {
    const { kind, remedy } = explainStoreFault(error)
    return { checks: [fail('database', kind, `${place}: ${reasonOf(error)}`, remedy)] }
  }
}

const SLOW_MS = 20
const TOO_SLOW_MS = 1_000
const CLOCK_WARN_MS = 1_000
const CLOCK_FAIL_MS = 5_000

function judge(report: DatabaseReport, place: string): Check[] {
  const { version, isTooOld, servingNodes, migrations, trigrams, latencyMs, isPooled, bytes, probe } = report
  const served =
    servingNodes === 0 ? 'no running service uses it' : `${servingNodes} running service(s) use it`
  return [
    isTooOld
      ? fail(
          'database',
          'outdated',
          `PostgreSQL ${version} at ${place}`,
          'Upgrade PostgreSQL to 14 or newer.',
        )
      : ok('database', `PostgreSQL ${version}, ${place}, ${served}`),
    judgeMigrations(migrations),
    ...(isPooled ? [fail('database sessions', 'refused', POOLED.reason, POOLED.remedy)] : []),
    judgeTrigrams(trigrams),
    judgeLatency(latencyMs),
    ...(probe ? [judgeClock(probe.clockAheadMs)] : []),
    probe?.refusal
      ? fail(
          'database writes',
          'refused',
          probe.refusal.reason,
          'Free space, or connect to the primary server.',
        )
      : ok(
          'database writes',
          `${probe ? 'works' : 'not tried yet'}, ${Math.ceil(bytes / 1_000_000)} MB used`,
        ),
  ]
}

function judgeMigrations({ pending, ahead, isBeforeBaseline }: DatabaseReport['migrations']): Check {
  const name = 'database migrations'
  if (isBeforeBaseline)
    return fail(
      name,
      'outdated',
      'from a Slipway before 0.1.0, which cannot be upgraded',
      'Start with an empty database.',
    )
  if (ahead > 0)
    return fail(
      name,
      'outdated',
      `${ahead} from a newer Slipway`,
      'Upgrade this Slipway, or restore a backup.',
    )
  if (pending === 0) return ok(name, 'none pending')
  return ok(name, `${pending} pending: the next start applies them, or "slipway migrate" does`)
}

function judgeTrigrams(trigrams: DatabaseReport['trigrams']): Check {
  const name = 'database extensions'
  if (trigrams === 'installed') return ok(name, 'pg_trgm is installed')
  if (trigrams === 'available') return ok(name, 'pg_trgm is available: the next start installs it')
  const message = 'pg_trgm is missing, so searches find only names that start with the query'
  return warn(name, 'refused', message, "Install PostgreSQL's contrib package and restart the nodes.")
}

function judgeLatency(ms: number): Check {
  const name = 'database latency'
  const remedy = 'Run the service close to the database, and check the load of its server.'
  if (ms > TOO_SLOW_MS) return fail(name, 'slow', `${formatMs(ms)} per query`, remedy)
  return ms > SLOW_MS
    ? warn(name, 'slow', `${formatMs(ms)} per query`, remedy)
    : ok(name, `${formatMs(ms)} per query`)
}

/** The embedded server allows as many as the service needs. */
function judgeConnections({ workers }: Config, { connectionsMax }: DatabaseReport): Check {
  const name = 'database connections'
  const needed = connectionsOfNode(workers)
  const message = `this node may need ${needed} connections, and the server allows ${connectionsMax} in total`
  return needed > connectionsMax
    ? warn(name, 'full', message, "Raise PostgreSQL's max_connections, or lower WORKERS.")
    : ok(name, message)
}

function judgeClock(aheadMs: number): Check {
  const name = 'database clock'
  const offMs = Math.abs(aheadMs)
  const message = `this machine is ${(offMs / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} the database`
  const remedy = 'Synchronise the clocks of both machines, for example with chrony.'
  if (offMs > CLOCK_FAIL_MS) return fail(name, 'clock', message, remedy)
  return offMs > CLOCK_WARN_MS ? warn(name, 'clock', message, remedy) : ok(name, message)
}
