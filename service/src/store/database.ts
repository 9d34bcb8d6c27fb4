import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'

/** What `pg` connects with: a URL, or the socket folder of the embedded server. */
export type ConnectionOptions =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string }

export interface Database {
  /** Runs one named piece of work; its name and duration reach the observer. */
  run<T>(name: string, work: (db: NodePgDatabase) => Promise<T>): Promise<T>
  /** The same, all or nothing. */
  transact<T>(name: string, work: (db: NodePgDatabase) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DatabaseObserver {
  onQuery(name: string, seconds: number, failed: boolean): void
  onConnectionLost(error: Error): void
}

const CONNECT_TIMEOUT_MS = 2_000
const STATEMENT_TIMEOUT_MS = 10_000

/** A pool that connects lazily and recovers by itself: a broken connection is dropped, the next call opens another. */
export function openDatabase(
  connection: ConnectionOptions,
  observer: DatabaseObserver,
  { statementMs = STATEMENT_TIMEOUT_MS }: { statementMs?: number } = {},
): Database {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'slipway',
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementMs,
    // The server's own time-out cannot fire over a dead network; this one can.
    query_timeout: statementMs + 500,
    keepAlive: true,
  })
  let closing = false
  pool.on('error', error => {
    if (!closing) observer.onConnectionLost(error)
  })
  // While a transaction holds a client the pool does not listen to it, and an error that nobody hears ends the process.
  // Whoever holds it is told by the failing query.
  pool.on('connect', client => client.on('error', () => {}))
  const db = drizzle(pool)

  async function observed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    let failed = true
    try {
      const result = await work()
      failed = false
      return result
    } finally {
      observer.onQuery(name, (performance.now() - start) / 1_000, failed)
    }
  }

  return {
    run: (name, work) => observed(name, () => work(db)),
    // Not Drizzle's own: that one never gives a connection back whose BEGIN fails, and a few outages empty the pool.
    transact: (name, work) =>
      observed(name, async () => {
        const client = await pool.connect()
        try {
          await client.query('BEGIN')
          const result = await work(drizzle(client))
          await client.query('COMMIT')
          client.release()
          return result
        } catch (error) {
          // Who did not answer the one would be waited for as long again.
          const isUsable =
            !isUnanswered(error) &&
            (await client.query('ROLLBACK').then(
              () => true,
              () => false,
            ))
          client.release(!isUsable)
          throw error
        }
      }),
    async close() {
      closing = true
      await pool.end()
    },
  }
}

/** What the server itself refuses has a code; a statement that nobody answers has none. */
export function isUnanswered(error: unknown): boolean {
  const { cause = error } = error as Error
  const { message, code } = cause as NodeJS.ErrnoException
  return /timeout/i.test(message) && code === undefined
}
