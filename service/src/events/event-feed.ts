import pLimit from 'p-limit'
import type { SharedCounts } from '../lib/shared-counts.ts'
import type { Database } from '../store/database.ts'
import { findEventRange, readEventsAfter, type StoredEvent } from '../store/events.ts'
import { createEventLog, type DescribeEvents, type LoggedEvent, toAllLogged } from './event-log.ts'
import { createEventStreams, type EventStreams, type StreamObserver } from './event-streams.ts'

/** The events of the store, and the streams of this node that follow them. */
export interface EventFeed extends Pick<EventStreams, 'reserve' | 'isOpen'> {
  /** The id of the last event that was sent to streams. */
  newestId(): number
  /** Where a stream starts if its client has this id. */
  findStart(lastEventId: string | string[] | undefined): Promise<{ afterId: number; isReset: boolean }>
  /** Call it when there may be new events in the store. */
  changed(): void
  /** Resolves once everything that was committed before the call is in memory. */
  caughtUp(): Promise<void>
  /** Ends all streams. A stream that is opened after this ends at once. */
  close(): void
}

/** Replaces defaults, for tests. */
export interface EventLimits {
  /** Events in memory. */
  logCountMax?: number
  commentMs?: number
}

const PAGE = 1_000
/** Streams that read from the store at the same time. */
const READERS_MAX = 4
const EVENT_ID = /^\d{1,15}$/

export function createEventFeed({
  database,
  describe,
  streamsMax,
  shared,
  beforePublish,
  observer,
  logCountMax,
  commentMs,
}: {
  database: Database
  describe: DescribeEvents
  streamsMax: number
  shared?: SharedCounts | undefined
  /** Awaited before events are sent: a client that then reads the launch should see the change. */
  beforePublish(events: readonly StoredEvent[]): Promise<unknown>
  observer: StreamObserver
} & EventLimits): EventFeed {
  const limit = pLimit(READERS_MAX)
  const log = createEventLog({
    database,
    describe,
    beforePublish,
    publish: events => streams.publish(events),
    onRestart: () => streams.reset(),
    onFault: observer.onFault,
    ...(logCountMax !== undefined && { countMax: logCountMax }),
  })
  const streams = createEventStreams({
    log,
    readPage: afterId => limit(() => readPage(database, describe, afterId)),
    observer,
    totalMax: streamsMax,
    shared,
    ...(commentMs !== undefined && { commentMs }),
  })

  return {
    reserve: streams.reserve,
    isOpen: streams.isOpen,
    newestId: log.newestId,
    async findStart(lastEventId) {
      const fromNow = () => ({ afterId: log.newestId(), isReset: true })
      if (!lastEventId) return { ...fromNow(), isReset: false }
      if (typeof lastEventId !== 'string' || !EVENT_ID.test(lastEventId)) return fromNow()
      const id = Number(lastEventId)
      // Another node may be ahead of this one.
      if (id > log.newestId()) await log.refresh()
      if (log.has(id) || (await findEventRange(database, id)).isKept) return { afterId: id, isReset: false }
      return fromNow()
    },
    changed: log.changed,
    caughtUp: log.refresh,
    close() {
      log.close()
      streams.close()
    },
  }
}

async function readPage(
  database: Database,
  describe: DescribeEvents,
  afterId: number,
): Promise<LoggedEvent[] | undefined> {
  const rows = await readEventsAfter(database, afterId, PAGE)
  // Checked after the read: what is deleted during the read counts as missing.
  const { isKept } = await findEventRange(database, afterId)
  return isKept ? toAllLogged(rows, describe) : undefined
}
