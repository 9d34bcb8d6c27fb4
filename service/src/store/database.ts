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
  close(): Promise<void>
}

export interface DatabaseObserver {
  onQuery(name: string, seconds: number, failed: boolean): void
  onConnectionLost(error: Error): void
}

/** Of one node. */
export const CONNECTIONS = 10
const CONNECT_MS = 2_000
const STATEMENT_MS = 10_000

/** A pool that connects lazily and drops broken connections; the next call opens another. */
export function openDatabase(
  connection: ConnectionOptions,
  observer: DatabaseObserver,
  {
    connectMs = CONNECT_MS,
    statementMs = STATEMENT_MS,
    connections = CONNECTIONS,
  }: { connectMs?: number; statementMs?: number; connections?: number } = {},
): Database {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'slipway',
    max: connections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    // The server's own timeout can't reach us over a dead network, but this one still works.
    query_timeout: statementMs + 500,
    keepAlive: true,
  })
  let closing = false
  pool.on('error', error => {
    if (!closing) observer.onConnectionLost(error)
  })
  // The pool does not listen for errors of a client that a transaction holds, and an unhandled one would end the
  // process. The transaction itself fails with its next query.
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
    // Not Drizzle's own, which never returns a connection whose BEGIN fails: a few outages would exhaust the pool.
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
          // If the server did not answer, ROLLBACK would wait just as long.
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

/** A `Database` whose work all belongs to the transaction of `db`. */
export const withinTransaction = (db: NodePgDatabase): Database => ({
  run: (_, work) => work(db),
  transact: (_, work) => work(db),
  close: async () => {},
})

/** Whether a statement timed out on our side. An error from the server has a code; this has none. */
export function isUnanswered(error: unknown): boolean {
  const { cause = error } = error as Error
  const { message, code } = cause as NodeJS.ErrnoException
  return /timeout/i.test(message) && code === undefined
}
