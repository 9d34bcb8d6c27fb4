import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/** What `pg` connects to: a URL, or the socket folder of the embedded server. */
export type ConnectionOptions =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string }

export interface Database {
  /** Runs one named piece of work; its name and duration reach the observer. */
  run<T>(name: string, work: (db: NodePgDatabase) => Promise<T>): Promise<T>
  /** The same in a transaction. */
  transact<T>(name: string, work: (db: NodePgDatabase) => Promise<T>): Promise<T>
  /**
   * The time by the database's clock, so that all nodes decide alike: this machine's until `setClock` is called. After that, it
   * goes on with the monotonic clock, which nobody corrects.
   */
  nowMs(): number
  /** How far this machine's clock was last found to be ahead of the database's. */
  setClock(aheadMs: number): void
  close(): Promise<void>
}

/** A database behind connections that come and go. */
export interface PooledDatabase extends Database {
  /** New work uses new connections: those that are open may lead to a server that is no longer the primary. */
  reconnect(): void
}

export interface DatabaseObserver {
  onQuery(name: string, seconds: number, failed: boolean): void
  onConnectionLost(error: Error): void
}

/** Of one node. */
export const CONNECTIONS = 10
const CONNECT_MS = 2_000
const STATEMENT_MS = 10_000

/** SQLSTATE. After a switchover, the former primary is read-only. */
export const READ_ONLY = '25006'

/** What tells one server from another, and whether it can be written to. */
export const SERVER_FACTS = `extract(epoch FROM pg_postmaster_start_time())::text AS server,
  pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS "isReadOnly"`
export interface ServerFacts {
  server: string
  isReadOnly: boolean
}

/** A pool that connects lazily and drops broken connections; the next call opens another. */
export function openDatabase(
  connection: ConnectionOptions,
  observer: DatabaseObserver,
  {
    connectMs = CONNECT_MS,
    statementMs = STATEMENT_MS,
    connections = CONNECTIONS,
  }: { connectMs?: number; statementMs?: number; connections?: number } = {},
): PooledDatabase {
  let closing = false
  /** From the monotonic clock to the database's. */
  let offsetMs: number | undefined
  let current = open()

  function open() {
    const opened = new pg.Pool({
      ...connection,
      application_name: 'slipway',
      max: connections,
      connectionTimeoutMillis: connectMs,
      // The server's own timeout can't reach us over a dead network, but this one still works.
      query_timeout: statementMs + 500,
      keepAlive: true,
      // PgBouncer refuses most settings in the message that starts a connection.
      onConnect: client => setStatementTimeout(client, statementMs, connectMs),
    })
    opened.on('error', error => {
      if (!closing) observer.onConnectionLost(error)
    })
    // The pool does not listen for errors of a client that a transaction holds, and an unhandled one would end the
    // process. The transaction itself fails with its next query.
    opened.on('connect', client => client.on('error', () => {}))
    return { pool: opened, db: drizzle(opened), uses: 0 }
  }

  async function observed<T>(name: string, work: (opened: typeof current) => Promise<T>): Promise<T> {
    const start = performance.now()
    let failed = true
    const opened = current
    opened.uses += 1
    try {
      const result = await work(opened)
      failed = false
      return result
    } finally {
      opened.uses -= 1
      endUnlessUsed(opened)
      observer.onQuery(name, (performance.now() - start) / 1_000, failed)
    }
  }

  /** What has begun goes on in a pool that was replaced. */
  function endUnlessUsed(opened: typeof current) {
    if (opened !== current && opened.uses === 0) void opened.pool.end()
  }

  return {
    run: (name, work) => observed(name, ({ db }) => work(db)),
    // Not Drizzle's own, which never returns a connection whose BEGIN fails: a few outages would exhaust the pool.
    transact: (name, work) =>
      observed(name, async ({ pool }) => {
        const client = await pool.connect()
        try {
          await client.query('BEGIN')
          const result = await work(drizzle(client))
          await client.query('COMMIT')
          client.release()
          return result
        } catch (error) {
          // If the server did not answer, ROLLBACK would wait just as long. A new connection may lead to the new primary.
          const isUsable =
            !isUnanswered(error) &&
            codeOf(error) !== READ_ONLY &&
            (await client.query('ROLLBACK').then(
              () => true,
              () => false,
            ))
          client.release(!isUsable)
          throw error
        }
      }),
    // Queries compare the time with whole milliseconds.
    nowMs: () => (offsetMs === undefined ? Date.now() : Math.round(performance.now() + offsetMs)),
    setClock(aheadMs) {
      offsetMs = localOffsetMs() - aheadMs
    },
    reconnect() {
      if (closing) return
      const former = current
      current = open()
      endUnlessUsed(former)
    },
    async close() {
      closing = true
      await current.pool.end()
    },
  }
}

export const setStatementTimeout = async (
  client: pg.ClientBase,
  statementMs: number,
  answerMs: number,
): Promise<void> => {
  await client.query({
    text: `SET statement_timeout = ${statementMs}`,
    query_timeout: answerMs,
  } as pg.QueryConfig)
}

/** Changes when this machine's clock is set, and when the machine is suspended. */
export const localOffsetMs = (): number => Date.now() - performance.now()

/** Of a `Database` that nothing compares clocks with. */
export const OWN_CLOCK = { nowMs: () => Date.now(), setClock: () => {} }

/** A `Database` whose work all belongs to the transaction of `db`. */
export const withinTransaction = (db: NodePgDatabase): Database => ({
  run: (_, work) => work(db),
  transact: (_, work) => work(db),
  ...OWN_CLOCK,
  close: async () => {},
})

/** Whether a statement timed out on our side. An error from the server has a code; this has none. */
export function isUnanswered(error: unknown): boolean {
  const { cause = error } = error as Error
  return /timeout/i.test((cause as Error).message) && codeOf(error) === undefined
}

/** All connections of the pool are in use, so nothing was sent. */
export const isPoolFull = (error: Error): boolean => /trying to connect/.test(error.message)

function codeOf(error: unknown): string | undefined {
  const { cause = error } = error as Error
  return (cause as NodeJS.ErrnoException).code
}
