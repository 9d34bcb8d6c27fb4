import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import {
  type ConnectionOptions,
  type Database,
  type DatabaseObserver,
  isUnanswered,
  SERVER_FACTS,
  type ServerFacts,
  setStatementTimeout,
} from './database.ts'

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

/** Waits for the lease; undefined if the signal comes first. */
export async function takeIndexLease(
  connection: ConnectionOptions,
  network: Network,
  {
    signal,
    observer,
    onWaiting = () => {},
    serverOfPool = () => undefined,
    nowMs = Date.now,
    limits: given = {},
  }: {
    signal: AbortSignal
    observer: DatabaseObserver
    /** Called while another node has the lease. */
    onWaiting?: () => void
    /** Where the pool is; undefined while that is unknown. A session on another server can't hold the lease. */
    serverOfPool?: () => string | undefined
    /** The time by the database's clock. */
    nowMs?: () => number
    limits?: Partial<LeaseLimits>
  },
): Promise<IndexLease | undefined> {
  const limits = { ...LEASE_LIMITS, ...given }
  const lock = [LOCK_CLASS, NETWORKS.indexOf(network)]
  while (!signal.aborted) {
    try {
      const lease = await waitOnce()
      if (lease) return lease
    } catch (error) {
      observer.onConnectionLost(error as Error)
    }
    await pause(limits.retryMs, signal)
  }
  return undefined

  async function waitOnce(): Promise<IndexLease | undefined> {
    const client = new pg.Client({
      ...connection,
      application_name: 'slipway-index',
      connectionTimeoutMillis: 2_000,
      query_timeout: limits.statementMsMax + 1_000,
      keepAlive: true,
    })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    let lease: IndexLease | undefined
    try {
      await client.connect()
      await setStatementTimeout(client, limits.statementMsMax, limits.heartbeatMsMax)
      await client.query(
        `SET idle_session_timeout = ${limits.idleMsMax}; SET idle_in_transaction_session_timeout = ${limits.idleMsMax}`,
      )
      while (!signal.aborted && !lease) {
        if (await tryLock(client)) {
          await prove(client)
          lease = hold(client, lost)
        } else {
          onWaiting()
          await pause(limits.retryMs, signal)
        }
      }
      return lease
    } finally {
      if (!lease) client.end().catch(() => {})
    }
  }

  async function tryLock(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<ServerFacts & { got: boolean }>({
      text: `SELECT ${SERVER_FACTS}, pg_try_advisory_lock($1, $2) AS got`,
      values: lock,
      // While it waits, too, it must notice soon that the database moved.
      query_timeout: limits.heartbeatMsMax,
    } as pg.QueryConfig)
    const [facts] = rows as [ServerFacts & { got: boolean }]
    assertServer(facts)
    return facts.got
  }

  /** Throws unless this very session holds the lock, on a server that can write and that the pool uses too. */
  async function prove(client: pg.Client) {
    const { rows } = await client.query<ServerFacts & { isHeld: boolean }>(
      `SELECT ${SERVER_FACTS}, EXISTS (
         SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted
           AND classid = $1 AND objid = $2 AND objsubid = 2
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       ) AS "isHeld"`,
      lock,
    )
    const [facts] = rows as [ServerFacts & { isHeld: boolean }]
    assertServer(facts)
    if (!facts.isHeld)
      throw new LeaseLost('the session that indexes lost its lock; a pooler must use session pooling')
  }

  function assertServer({ server, isReadOnly }: ServerFacts) {
    if (isReadOnly) throw new LeaseLost('the database is read-only')
    if (server !== (serverOfPool() ?? server))
      throw new LeaseLost('the session is on another server than the pool')
  }

  function hold(client: pg.Client, lost: AbortController): IndexLease {
    const db = drizzle(client)
    /** Statements run one after another: a session has one transaction at a time. */
    let last: Promise<unknown> = Promise.resolve()

    function inTurn<T>(work: () => Promise<T>): Promise<T> {
      const turn = last.then(() => {
        if (lost.signal.aborted) throw new LeaseLost()
        return work()
      })
      last = turn.catch(() => {})
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

    let isBeating = false
    const heartbeat = setInterval(async () => {
      if (isBeating) return
      isBeating = true
      await inTurn(beat).catch(error => {
        if (!lost.signal.aborted) observer.onConnectionLost(error)
        lost.abort()
      })
      isBeating = false
    }, limits.heartbeatMs)
    heartbeat.unref()

    async function beat() {
      const late = new AbortController()
      try {
        await Promise.race([
          prove(client),
          sleep(limits.heartbeatMsMax, undefined, { signal: late.signal, ref: false }).then(() => {
            throw new LeaseLost('the database did not answer in time')
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
        nowMs,
        setClock() {},
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
}

/** Another node may be indexing by now. */
export class LeaseLost extends Error {
  constructor(reason?: string) {
    super(`the right to index was lost${reason === undefined ? '' : `: ${reason}`}`)
  }
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})
