import type pg from 'pg'
import { CONNECTIONS_MAX, connectOnce } from './connect-once.ts'
import { type ConnectionOptions, openDatabase } from './database.ts'
import { isPooledByTransaction } from './detect-pooling.ts'
import { POSTGRES_MINIMUM } from './migrate.ts'
import { readMigrationState, readMigrations } from './migrations.ts'
import { probeStore, type StoreProbe } from './probe-store.ts'

/** What an operator wants to know about a database. */
export interface DatabaseReport {
  version: string
  isTooOld: boolean
  /** The extension that searches need. */
  trigrams: 'installed' | 'available' | 'missing'
  /** Migrations that this version knows and the database lacks, and the other way round. */
  migrations: { pending: number; ahead: number; isBeforeBaseline: boolean }
  /** The median of a few round trips. */
  latencyMs: number
  /** A pooler in between gives a connection a session for one transaction at a time. */
  isPooled: boolean
  bytes: number
  /** How many the server allows. */
  connectionsMax: number
  /** Undefined if the tables do not exist yet, or a pooler gets in the way. */
  probe: StoreProbe | undefined
  servingNodes: number
  /** By network, as recorded. */
  genesisHashes: ReadonlyMap<string, string>
}

const APPLICATION = 'slipway-doctor'
const QUERY_TIMEOUT_MS = 5_000
const ROUND_TRIPS = 5

/** Looks at a database without changing anything. Rejects if it can't be reached. */
export async function examineDatabase(connection: ConnectionOptions): Promise<DatabaseReport> {
  const client = await connectOnce(connection, APPLICATION, { query_timeout: QUERY_TIMEOUT_MS })
  try {
    const { rows } = await client.query(FACTS)
    const [facts] = rows as [Facts]
    const isPooled = await isPooledByTransaction(client, () => connectOnce(connection, APPLICATION))
    return {
      version: facts.version,
      isTooOld: facts.number < POSTGRES_MINIMUM,
      trigrams: facts.installed ? 'installed' : facts.available ? 'available' : 'missing',
      migrations: await countMigrations(client),
      latencyMs: await measureLatency(client),
      isPooled,
      bytes: Number(facts.bytes),
      connectionsMax: facts.connections_max,
      probe: facts.has_tables && !isPooled ? await probe(connection) : undefined,
      servingNodes: facts.nodes,
      genesisHashes: facts.has_tables ? await readHashes(client) : new Map(),
    }
  } finally {
    await client.end().catch(() => {})
  }
}

interface Facts {
  version: string
  number: number
  installed: boolean
  available: boolean
  bytes: string
  connections_max: number
  nodes: number
  has_tables: boolean
}

const FACTS = `
  SELECT current_setting('server_version') AS version,
    current_setting('server_version_num')::int AS number,
    EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS installed,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS available,
    pg_database_size(current_database()) AS bytes,
    ${CONNECTIONS_MAX} AS connections_max,
    (SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'slipway-listen') AS nodes,
    to_regclass('clusters') IS NOT NULL AS has_tables`

async function countMigrations(client: pg.Client): Promise<DatabaseReport['migrations']> {
  const { pending, ahead, isBeforeBaseline } = await readMigrationState(client, readMigrations())
  return { pending: pending.length, ahead, isBeforeBaseline }
}

async function measureLatency(client: pg.Client): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < ROUND_TRIPS; at += 1) {
    const startMs = performance.now()
    await client.query('SELECT 1')
    times.push(performance.now() - startMs)
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUND_TRIPS / 2)] ?? 0
}

async function probe(connection: ConnectionOptions): Promise<StoreProbe> {
  const database = openDatabase(
    connection,
    { onQuery: () => {}, onConnectionLost: () => {} },
    { statementMs: QUERY_TIMEOUT_MS },
  )
  return probeStore(database).finally(database.close)
}

async function readHashes(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ network: string; genesis_hash: string }>(
    'SELECT network, genesis_hash FROM clusters',
  )
  return new Map(rows.map(({ network, genesis_hash }) => [network, genesis_hash]))
}
