import type { EventData, EventDetails } from '@slipway/schema/event'
import { pause } from '../lib/pause.ts'
import { createFreshSingleFlight } from '../lib/single-flight.ts'
import type { Database } from '../store/database.ts'
import { findEventRange, readEventsAfter, readNewestEvents, type StoredEvent } from '../store/events.ts'

/** An event with the bytes that every stream sends. */
export interface LoggedEvent extends StoredEvent {
  bytes: Buffer
}

/** The newest events in memory, in step with the store, so that an open stream costs no queries. */
export interface EventLog {
  newestId(): number
  /** Every event after this id is in memory. */
  keptAfter(): number
  /** Whether every event after this one is in memory. False if this event never existed. */
  has(id: number): boolean
  /** The oldest events after an id, which must be `keptAfter` or greater. */
  after(id: number, count: number): LoggedEvent[]
  /** Resolves once everything that was committed before the call is in memory; rejects if the store doesn't answer. */
  refresh(): Promise<void>
  /** Call it when there may be new events. A failure is retried. */
  changed(): void
  close(): void
}

/** The data that each event carries besides its address and time. */
export type DescribeEvents = (
  events: readonly StoredEvent[],
) => Promise<readonly (EventDetails | undefined)[]>

interface EventLogParts {
  database: Database
  describe: DescribeEvents
  /** Awaited before events are shown: a client that then reads the launch should see the change. */
  beforePublish(events: readonly StoredEvent[]): Promise<unknown>
  /** Called with new events, in order, after they are in memory. The next ones wait until it is done. */
  publish(events: readonly LoggedEvent[]): Promise<void>
  /** The store has lost the newest event: it was restored from a backup. */
  onRestart(): void
  onFault(error: unknown): void
  /** Bounds the memory, to about 20 MB. */
  countMax?: number
}

const COUNT_MAX = 20_000
const PAGE = 1_000
const RETRY_MS = 1_000
/**
 * Between two batches, as long as the first one took. Under load, batches get larger, and other requests have their
 * turn.
 */
const PAUSE_MS_MIN = 20
const PAUSE_MS_MAX = 250

export function createEventLog({
  database,
  describe,
  beforePublish,
  publish,
  onRestart,
  onFault,
  countMax = COUNT_MAX,
}: EventLogParts): EventLog {
  let events: LoggedEvent[] = []
  let keptAfter = 0
  let newestId = 0
  let isLoaded = false
  let isRetrying = false
  const closed = new AbortController()

  const refresh = createFreshSingleFlight(async (_: 'all') => {
    if (!isLoaded) return load()
    const { newest, isKept } = await findEventRange(database, newestId)
    if (!isKept) await load()
    else if (newest > newestId) await readNew()
  })

  async function load() {
    const range = await findEventRange(database)
    const rows = await readNewestEvents(database, countMax)
    const hadEvents = isLoaded
    events = await toAllLogged(rows, describe)
    newestId = rows.at(-1)?.id ?? 0
    // With fewer events than that, none is missing before the first one.
    keptAfter = rows.length < countMax ? range.keptAfter : (rows[0]?.id ?? 0)
    isLoaded = true
    if (hadEvents) onRestart()
  }

  async function readNew() {
    for (;;) {
      const rows = await readEventsAfter(database, newestId, PAGE)
      if (rows.length === 0) return
      await beforePublish(rows)
      const added = await toAllLogged(rows, describe)
      const startMs = performance.now()
      append(added)
      await publish(added)
      const tookMs = performance.now() - startMs
      await pause(Math.min(Math.max(PAUSE_MS_MIN, tookMs), PAUSE_MS_MAX), closed.signal)
      if (rows.length < PAGE || closed.signal.aborted) return
    }
  }

  function append(added: readonly LoggedEvent[]) {
    events.push(...added)
    newestId = (added.at(-1) as LoggedEvent).id
    // In large steps, because each removal moves all remaining events.
    if (events.length < 1.25 * countMax) return
    const dropped = events.splice(0, events.length - countMax)
    keptAfter = (dropped.at(-1) as LoggedEvent).id
  }

  function changed() {
    if (closed.signal.aborted) return
    refresh('all').catch(async error => {
      if (isRetrying || closed.signal.aborted) return
      onFault(error)
      isRetrying = true
      await pause(RETRY_MS, closed.signal)
      isRetrying = false
      changed()
    })
  }

  /** The index of the first event after an id. */
  function indexAfter(id: number): number {
    let [low, high] = [0, events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((events[middle] as LoggedEvent).id <= id) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    newestId: () => newestId,
    keptAfter: () => keptAfter,
    has: id => id === keptAfter || events[indexAfter(id) - 1]?.id === id,
    after(id, count) {
      const start = indexAfter(id)
      return events.slice(start, start + count)
    },
    refresh: () => refresh('all'),
    changed,
    close: () => closed.abort(),
  }
}

export async function toAllLogged(
  events: readonly StoredEvent[],
  describe: DescribeEvents,
): Promise<LoggedEvent[]> {
  const details = await describe(events)
  return events.map((event, at) => toLogged(event, details[at]))
}

export function toLogged(event: StoredEvent, details?: EventDetails): LoggedEvent {
  const { id, network, type, address, at } = event
  const data: EventData = { network, address, at: at.toISOString(), ...details }
  return {
    ...event,
    bytes: Buffer.from(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`),
  }
}
