import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const REPORT_MS = { first: 1_000, max: 5_000 }

/**
 * Runs a migration's work, and reports every few seconds while it waits for a lock. An index build waits for as long
 * as other transactions take, and its own session can't report that.
 */
export async function reportWaits<T>(work: () => Promise<T>, waits: Waits): Promise<T> {
  const stop = new AbortController()
  const reporting = report(waits, stop.signal)
  try {
    return await work()
  } finally {
    stop.abort()
    await reporting
  }
}

interface Waits {
  /** The pid of the session that migrates. */
  pid: number
  /** Opens another session. Work that takes less than a second doesn't need it. */
  connect: () => Promise<pg.Client>
  onWaiting: (reason: string) => void
}

async function report({ pid, connect, onWaiting }: Waits, signal: AbortSignal): Promise<void> {
  let client: pg.Client | undefined
  // This also ends a query in flight.
  const close = async () => {
    await client?.end().catch(() => {})
    client = undefined
  }
  signal.addEventListener('abort', close)
  for (let pauseMs = REPORT_MS.first; ; pauseMs = Math.min(2 * pauseMs, REPORT_MS.max)) {
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    try {
      client ??= await connect()
      const reason = (await isWaiting(client, pid)) && (await describeOldest(client, pid))
      if (reason && !signal.aborted) onWaiting(reason)
    } catch {
      // The migration goes on without reports until there is a connection again.
      await close()
    }
  }
  await close()
}

async function isWaiting(client: pg.Client, pid: number): Promise<boolean> {
  const { rows } = await client.query('SELECT FROM pg_locks WHERE pid = $1 AND NOT granted', [pid])
  return rows.length > 0
}

/**
 * The transaction that most likely holds the lock that the session `pid` waits for. Roles without the right to see
 * its details see only that it exists.
 */
export async function describeOldest(client: pg.Client, pid: number): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string | null; seconds: number }>(
    `SELECT pid, nullif(application_name, '') AS name, extract(epoch FROM clock_timestamp() - xact_start)::int AS seconds
     FROM pg_stat_activity
     WHERE datname = current_database() AND pid NOT IN (pg_backend_pid(), $1) AND xact_start IS NOT NULL
     ORDER BY xact_start LIMIT 1`,
    [pid],
  )
  const oldest = rows[0]
  if (!oldest) return 'waiting for a lock that another transaction holds'
  const { name, seconds } = oldest
  return `waiting for a lock; the oldest transaction is ${seconds} s old (${name ?? 'unnamed'}, pid ${oldest.pid})`
}
