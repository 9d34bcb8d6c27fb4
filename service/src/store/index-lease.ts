import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { type ConnectionOptions, type Database, type DatabaseObserver, isUnanswered } from './database.ts'

/** The right to index a network, held by one node at a time. */
export interface IndexLease {
  /**
   * Writes through the session that holds the lock: a node that has lost the lock can't write, however late it notices.
   */
  database: Database
  /** Aborted when the lease is lost. */
  lost: AbortSignal
  release(): Promise<void>
}

/** Advisory lock class; the second key is the index of the network. */
const LOCK_CLASS = 0x51_1b_1d

export interface LeaseLimits {
  /** How often a node tries to take the lease. */
  retryMs: number
  heartbeatMs: number
  heartbeatMsMax: number
  /**
   * The server ends a session, and with it the lock, after this idle time: the node hangs, or the connection is dead.
   */
  idleMsMax: number
  statementMsMax: number
}

export const LEASE_LIMITS: LeaseLimits = {
  retryMs: 1_000,
  heartbeatMs: 1_500,
  heartbeatMsMax: 4_000,
  idleMsMax: 6_000,
  statementMsMax: 8_000,
}

/** A session on a dead connection never ends gracefully. */
const END_MS_MAX = 1_000

/** Waits for the lease; undefined if the signal comes first. `onWaiting` is called while another node has it. */
export async function takeIndexLease(
  connection: ConnectionOptions,
  network: Network,
  {
    signal,
    observer,
    onWaiting = () => {},
    limits: given = {},
  }: {
    signal: AbortSignal
    observer: DatabaseObserver
    onWaiting?: () => void
    limits?: Partial<LeaseLimits>
  },
): Promise<IndexLease | undefined> {
  const limits = { ...LEASE_LIMITS, ...given }
  while (!signal.aborted) {
    try {
      const lease = await waitOnce(connection, network, { signal, observer, onWaiting, limits })
      if (lease) return lease
    } catch (error) {
      observer.onConnectionLost(error as Error)
    }
    await pause(limits.retryMs, signal)
  }
  return undefined
}

async function waitOnce(
  connection: ConnectionOptions,
  network: Network,
  {
    signal,
    observer,
    onWaiting,
    limits,
  }: { signal: AbortSignal; observer: DatabaseObserver; onWaiting: () => void; limits: LeaseLimits },
): Promise<IndexLease | undefined> {
  const client = new pg.Client({
    ...connection,
    application_name: 'slipway-index',
    connectionTimeoutMillis: 2_000,
    statement_timeout: limits.statementMsMax,
    query_timeout: limits.statementMsMax + 1_000,
    keepAlive: true,
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  let isLeased = false
  try {
    await client.connect()
    await client.query(
      `SET idle_session_timeout = ${limits.idleMsMax}; SET idle_in_transaction_session_timeout = ${limits.idleMsMax}`,
    )
    const number = NETWORKS.indexOf(network)
    while (!signal.aborted && !isLeased) {
      const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS got', [
        LOCK_CLASS,
        number,
      ])
      isLeased = rows[0]?.got === true
      if (isLeased) break
      onWaiting()
      await pause(limits.retryMs, signal)
    }
    return isLeased ? hold(client, lost, { observer, limits }) : undefined
  } finally {
    if (!isLeased) client.end().catch(() => {})
  }
}

function hold(
  client: pg.Client,
  lost: AbortController,
  { observer, limits }: { observer: DatabaseObserver; limits: LeaseLimits },
): IndexLease {
  const db = drizzle(client)
  /** Statements run one after another: a session has one transaction at a time. */
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    waiting += 1
    const turn = last.then(() => {
      if (lost.signal.aborted) throw new LeaseLost()
      return work()
    })
    last = turn.then(
      () => {
        waiting -= 1
      },
      () => {
        waiting -= 1
      },
    )
    return turn
  }

  async function observed<T>(name: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    let failed = true
    try {
      const result = await inTurn(work)
      failed = false
      return result
    } catch (error) {
      if (isUnanswered(error)) lost.abort()
      throw error
    } finally {
      observer.onQuery(name, (performance.now() - start) / 1_000, failed)
    }
  }

  const heartbeat = setInterval(() => {
    // A running statement shows that the session is alive, and has its own timeout.
    if (waiting === 0) inTurn(beat).catch(() => lost.abort())
  }, limits.heartbeatMs)
  heartbeat.unref()

  async function beat() {
    const late = new AbortController()
    try {
      await Promise.race([
        client.query('SELECT 1'),
        sleep(limits.heartbeatMsMax, undefined, { signal: late.signal, ref: false }).then(() => {
          throw new LeaseLost()
        }),
      ])
    } finally {
      late.abort()
    }
  }

  lost.signal.addEventListener('abort', () => {
    clearInterval(heartbeat)
    // Does not close the session gracefully, which would wait forever on a dead connection.
    ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
  })

  return {
    lost: lost.signal,
    database: {
      run: (name, work) => observed(name, () => work(db)),
      transact: (name, work) =>
        observed(name, async () => {
          await client.query('BEGIN')
          try {
            const result = await work(db)
            await client.query('COMMIT')
            return result
          } catch (error) {
            // A session in an unknown state can no longer be used. If it is not answering, ROLLBACK would wait just
            // as long.
            if (isUnanswered(error)) lost.abort()
            else await client.query('ROLLBACK').catch(() => lost.abort())
            throw error
          }
        }),
      async close() {
        lost.abort()
      },
    },
    async release() {
      clearInterval(heartbeat)
      await last
      if (lost.signal.aborted) return
      const ended = client.end().catch(() => {})
      await Promise.race([ended, sleep(END_MS_MAX, undefined, { ref: false })])
      lost.abort()
    },
  }
}

/** Another node may be indexing by now. */
export class LeaseLost extends Error {
  constructor() {
    super('the right to index was lost')
  }
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})
