import type { ResponseStream } from '../endpoint/endpoint.ts'
import { type EventFilter, joinMatching } from './event-filter.ts'
import type { EventLog, LoggedEvent } from './event-log.ts'

export interface EventStream {
  readonly out: ResponseStream
  readonly filter: EventFilter
  readonly filterKey: string
  /** Everything up to this event has been sent, as far as the filter matches. */
  sentId: number
  /** It has caught up with the log, and gets new events from `publish`. */
  isLive: boolean
  isEnded: boolean
  onEnded(): void
  commentAtMs: number
  writtenBytes: number
  /** The values at the last check of whether the client still reads. */
  checked: { pendingBytes: number; writtenBytes: number }
}

/** Reads events that are no longer in memory. Undefined if some of them are no longer in the store either. */
export type PageReader = (afterId: number) => Promise<LoggedEvent[] | undefined>

interface CatchUpParts {
  log: Pick<EventLog, 'newestId' | 'keptAfter' | 'after'>
  readPage: PageReader
  write(stream: EventStream, bytes: Buffer): boolean
  onSent(events: number): void
}

/** Bounds what is joined and written at a time, to about 32 KiB. */
const EVENTS_MAX = 200

/**
 * Sends a stream everything after the last event that it has, as fast as the client reads, and makes it live. What it
 * sends depends only on `sentId`, so there is no gap and no repetition between the store, the memory and new events.
 */
export async function catchUp(stream: EventStream, parts: CatchUpParts): Promise<void> {
  const { log, readPage, write, onSent } = parts
  let page: LoggedEvent[] = []
  while (!stream.isEnded) {
    if (page.length === 0) {
      const isInMemory = stream.sentId >= log.keptAfter()
      const read = isInMemory ? log.after(stream.sentId, EVENTS_MAX) : await readPage(stream.sentId)
      // It was too slow. When it resumes, it gets a reset.
      if (!read) return stream.out.end()
      page = read
      if (page.length === 0) {
        stream.isLive = true
        return
      }
    }
    const events = page.splice(0, EVENTS_MAX)
    const found = joinMatching(stream.filter, events)
    stream.sentId = (events.at(-1) as LoggedEvent).id
    if (!found) continue
    onSent(found.count)
    if (!write(stream, found.bytes)) await whenDrained(stream)
  }
}

/** Resolves when the client has read everything, or the stream has ended. */
const whenDrained = (stream: EventStream) =>
  new Promise<void>(resolve => {
    stream.onEnded = resolve
    stream.out.onDrain(resolve)
  })
