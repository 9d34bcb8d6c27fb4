import { randomUUID } from 'node:crypto'
import type { Address } from '@slipway/schema/address'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { pause } from '../lib/pause.ts'
import {
  type ConnectionOptions,
  type Database,
  isPoolFull,
  isUnanswered,
  type PooledDatabase,
  SERVER_FACTS,
  type ServerFacts,
} from './database.ts'

/** PostgreSQL channels and what is announced on each. */
const CHANNELS = { slipway_launches: 'launches', slipway_agents: 'agents' } as const
type ChangedKind = (typeof CHANNELS)[keyof typeof CHANNELS]
const EVENTS_CHANNEL = 'slipway_events'

interface ChangeListener {
  onChanged(kind: ChangedKind, network: Network, addresses: Address[]): void
  /** There are new events. The changes behind them have been announced before. */
  onEvents?(): void
  /** Called after every connection and reconnection: changes in between are unknown. */
  onEverything(): void
  onLost(error: unknown): void
}

export interface Changes {
  /** False while changes by other nodes go unnoticed. */
  readonly listening: boolean
  /** The server on which both the pool and this connection were at the last heartbeat; undefined unless listening. */
  readonly server: string | undefined
  /** Resolves when the first connection is listening. */
  readonly started: Promise<void>
  /**
   * Resolves once every change that was committed before the call has been announced; rejects while the connection is
   * down.
   */
  delivered(): Promise<void>
  close(): Promise<void>
}

const RECONNECT_MS_MAX = 2_000
const HEARTBEAT_MS = 2_000
const HEARTBEAT_TIMEOUT_MS = 3_000
/** A connection is dropped after so many heartbeats in a row that the pool could not announce. */
const UNPROVEN_MAX = 3

/**
 * Listens for changes by any node on a connection of its own. Every heartbeat is announced through the pool, which writes the
 * changes, so a connection that does not hear it is replaced: it may be on another server than the pool, or behind a pooler.
 */
export function listenForChanges(
  connection: ConnectionOptions,
  pool: PooledDatabase,
  listener: ChangeListener,
  heartbeatMs = HEARTBEAT_MS,
): Changes {
  const stopped = new AbortController()
  /** Of this listener alone. */
  const heartbeats = `slipway_heartbeat_${randomUUID().replaceAll('-', '')}`
  let listening = false
  let server: string | undefined
  let sent = 0
  let heard = 0
  let unproven = 0
  let deliver: (() => Promise<unknown>) | undefined
  let onStarted = () => {}
  const started = new Promise<void>(resolve => {
    onStarted = resolve
  })
  const done = keepListening()

  async function keepListening() {
    for (let delayMs = 100; !stopped.signal.aborted; delayMs = Math.min(delayMs * 2, RECONNECT_MS_MAX)) {
      try {
        await listenOnce(() => {
          listening = true
          delayMs = 100
          listener.onEverything()
          onStarted()
        })
      } catch (error) {
        if (!stopped.signal.aborted) listener.onLost(error)
      }
      listening = false
      server = undefined
      deliver = undefined
      await pause(delayMs, stopped.signal)
    }
  }

  /** Returns when stopped; throws if the connection is lost. */
  async function listenOnce(onListening: () => void) {
    const client = new pg.Client({
      ...connection,
      application_name: 'slipway-listen',
      connectionTimeoutMillis: 2_000,
      // An unanswered heartbeat means a half-open connection, which would stay silent forever.
      query_timeout: HEARTBEAT_TIMEOUT_MS,
      keepAlive: true,
    })
    const lost = new AbortController()
    client.on('error', error => lost.abort(error))
    client.on('end', () => lost.abort(new Error('connection ended')))
    const ended = AbortSignal.any([stopped.signal, lost.signal])
    client.on('notification', ({ channel, payload }) => {
      if (channel === heartbeats) heard = Number(payload)
      else announce(channel, payload ?? '', listener)
    })
    try {
      await client.connect()
      await client.query(
        [...Object.keys(CHANNELS), EVENTS_CHANNEL, heartbeats].map(channel => `LISTEN ${channel}`).join('; '),
      )
      await prove(client)
      onListening()
      // The server sends what it has to announce before it answers.
      deliver = () => client.query('SELECT 1')
      while (!stopped.signal.aborted) {
        await pause(heartbeatMs, ended)
        lost.signal.throwIfAborted()
        if (!stopped.signal.aborted) await prove(client)
      }
    } finally {
      client.end().catch(() => {})
    }
  }

  /** Throws unless this connection hears what is announced through the pool. */
  async function prove(client: pg.Client): Promise<void> {
    for (let isSecond = false; ; isSecond = true) {
      sent += 1
      const beat = await sendBeat().catch((error: unknown) => error as Error)
      await client.query('SELECT 1')
      if (beat instanceof Error) {
        // The pool's other connections may lead to the same server, and each would cost as much time.
        if (!isSecond && isUnanswered(beat) && !isPoolFull(beat)) {
          pool.reconnect()
          continue
        }
        // A pool that is overloaded for a moment disproves nothing.
        unproven += 1
        if (server === undefined || unproven >= UNPROVEN_MAX) throw beat
        return
      }
      const isSame = !beat.isReadOnly && (server ?? beat.server) === beat.server
      if (heard === sent && (isSame || isSecond)) {
        server = beat.server
        unproven = 0
        return
      }
      if (isSecond) throw new Error(NOT_HEARD)
      // The pool's old connections may lead to another server than new ones.
      pool.reconnect()
    }
  }

  const sendBeat = () =>
    pool.run('heartbeat', async db => {
      const { rows } = await db.execute<ServerFacts & Record<string, unknown>>(sql`
        SELECT ${sql.raw(SERVER_FACTS)}, CASE WHEN pg_is_in_recovery() THEN '' ELSE
          pg_notify(${heartbeats}, ${`${sent}`})::text END AS announced`)
      return rows[0] as ServerFacts
    })

  return {
    get listening() {
      return listening
    },
    get server() {
      return listening ? server : undefined
    },
    started,
    async delivered() {
      if (!deliver) throw new Error('the change listener is not connected')
      await deliver()
    },
    async close() {
      stopped.abort()
      await done
    },
  }
}

const NOT_HEARD =
  'notifications sent through the pool do not arrive; every connection must lead to the same server, and a pooler must use session pooling'

function announce(channel: string, payload: string, listener: ChangeListener): void {
  if (channel === EVENTS_CHANNEL) {
    listener.onEvents?.()
    return
  }
  const kind = CHANNELS[channel as keyof typeof CHANNELS]
  const [name, ...addresses] = payload.split(' ')
  const network = NETWORKS.find(known => known === name)
  if (network) listener.onChanged(kind, network, addresses as Address[])
  else listener.onEverything()
}

/** The number of nodes that serve from this database. Each keeps one connection that listens for changes. */
export async function countServingNodes(database: Database): Promise<number> {
  const { rows } = await database.run('nodes.count', db =>
    db.execute<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'slipway-listen'`),
  )
  return rows[0]?.count ?? 0
}
