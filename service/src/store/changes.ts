import type { Address } from '@slipway/schema/address'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { pause } from '../lib/pause.ts'
import type { ConnectionOptions, Database } from './database.ts'

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
  /** False while the connection is down and changes by other nodes go unnoticed. */
  readonly listening: boolean
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
const HEARTBEAT_MS = 5_000
const HEARTBEAT_TIMEOUT_MS = 3_000

/** Listens for changes by any node on a connection of its own, and reconnects if that breaks. */
export function listenForChanges(
  connection: ConnectionOptions,
  listener: ChangeListener,
  heartbeatMs = HEARTBEAT_MS,
): Changes {
  const stopped = new AbortController()
  let listening = false
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
    client.on('notification', ({ channel, payload }) => announce(channel, payload ?? '', listener))
    try {
      await client.connect()
      await client.query(
        [...Object.keys(CHANNELS), EVENTS_CHANNEL].map(channel => `LISTEN ${channel}`).join('; '),
      )
      onListening()
      // The server sends what it has to announce before it answers.
      deliver = () => client.query('SELECT 1')
      while (!stopped.signal.aborted) {
        await pause(heartbeatMs, ended)
        lost.signal.throwIfAborted()
        if (!stopped.signal.aborted) await client.query('SELECT 1')
      }
    } finally {
      client.end().catch(() => {})
    }
  }

  return {
    get listening() {
      return listening
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
