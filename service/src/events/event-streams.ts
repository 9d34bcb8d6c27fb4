import { setImmediate as nextTurn } from 'node:timers/promises'
import { ServiceError } from '@slipway/schema/errors'
import type { ResponseStream } from '../endpoint/endpoint.ts'
import { createPlaces } from '../lib/places.ts'
import type { SharedCounts } from '../lib/shared-counts.ts'
import { catchUp, type EventStream, type PageReader } from './catch-up.ts'
import { type EventFilter, joinMatching, keyOf } from './event-filter.ts'
import type { EventLog, LoggedEvent } from './event-log.ts'

/** All open streams of this node. */
export interface EventStreams {
  /** Takes a place for a client, or throws if there is none. Call the result once, with the client's stream. */
  reserve(client: string): (stream: ResponseStream, options: StreamOptions) => void
  /** Sends new events to every stream that has caught up. */
  publish(events: readonly LoggedEvent[]): Promise<void>
  /** Every stream starts from now. */
  reset(): void
  /** False once it is closed: streams have to be opened on another node. */
  isOpen(): boolean
  /** Ends all streams at once. */
  close(): void
}

interface StreamOptions {
  filter: EventFilter
  /** The client has everything up to this event. */
  afterId: number
  /** The client may have missed events before that one. */
  isReset: boolean
}

export interface StreamObserver {
  onCount(open: number): void
  onSent(events: number): void
  onRefused(reason: 'client' | 'total'): void
  onCut(reason: CutReason): void
  onFault(error: unknown): void
}

type CutReason = 'slow' | 'stalled'

export const STREAMS_PER_CLIENT_MAX = 20
/** A client that is further behind is disconnected. It can resume. */
const PENDING_BYTES_MAX = 64 * 1_024
const COMMENT_MS = 15_000
const TICK_MS = 1_000
/** Serving more streams than this in one turn of the event loop would delay other requests. */
const STREAMS_PER_TURN = 200

export function createEventStreams({
  log,
  readPage,
  observer,
  totalMax,
  shared,
  commentMs = COMMENT_MS,
}: {
  log: Pick<EventLog, 'newestId' | 'keptAfter' | 'after'>
  readPage: PageReader
  observer: StreamObserver
  totalMax: number
  /** The streams that are open on other workers. */
  shared?: SharedCounts | undefined
  commentMs?: number
}): EventStreams {
  const streams = new Set<EventStream>()
  const places = createPlaces('streams', { all: totalMax, client: STREAMS_PER_CLIENT_MAX }, shared)
  let isClosed = false
  const timer = setInterval(tick, Math.min(TICK_MS, commentMs)).unref()

  function takePlace(client: string) {
    const full = places.take(client)
    if (!full) return
    observer.onRefused(full === 'client' ? 'client' : 'total')
    throw new ServiceError(full === 'client' ? 'TOO_MANY_STREAMS' : 'STREAMS_FULL')
  }

  function open(out: ResponseStream, client: string, { filter, afterId, isReset }: StreamOptions) {
    const stream: EventStream = {
      out,
      filter,
      filterKey: keyOf(filter),
      sentId: afterId,
      isLive: false,
      isEnded: false,
      onEnded() {},
      commentAtMs: performance.now() + commentMs,
      writtenBytes: 0,
      checked: { pendingBytes: 0, writtenBytes: 0 },
    }
    streams.add(stream)
    observer.onCount(streams.size)
    write(stream, isReset ? resetBytes(afterId) : openingBytes(afterId))
    out.onEnd(() => {
      stream.isEnded = true
      stream.onEnded()
      streams.delete(stream)
      places.leave(client)
      observer.onCount(streams.size)
    })
    if (isClosed) out.end()
    else follow(stream)
  }

  function follow(stream: EventStream) {
    catchUp(stream, { log, readPage, write, onSent: observer.onSent }).catch(error => {
      observer.onFault(error)
      // The client resumes, here or on another node.
      stream.out.end()
    })
  }

  function write(stream: EventStream, bytes: Buffer): boolean {
    stream.writtenBytes += bytes.length
    return stream.out.write(bytes)
  }

  function cut(stream: EventStream, reason: CutReason) {
    observer.onCut(reason)
    stream.out.end()
  }

  /** Sends a comment where one is due, and disconnects clients that have stopped reading. */
  function tick() {
    const nowMs = performance.now()
    for (const stream of streams) {
      if (nowMs < stream.commentAtMs) continue
      stream.commentAtMs = nowMs + commentMs
      const pendingBytes = stream.out.pendingBytes()
      const { checked, writtenBytes } = stream
      stream.checked = { pendingBytes, writtenBytes }
      const hasRead = pendingBytes < checked.pendingBytes + writtenBytes - checked.writtenBytes
      if (checked.pendingBytes > 0 && !hasRead) cut(stream, 'stalled')
      // Not the newest id of the log: while events are published, a stream may not have been sent them.
      else write(stream, commentBytes(stream.sentId))
    }
  }

  return {
    reserve(client) {
      takePlace(client)
      return (out, options) => open(out, client, options)
    },
    async publish(events) {
      const firstId = events[0]?.id as number
      const lastId = events.at(-1)?.id as number
      const joined = new Map<string, ReturnType<typeof joinMatching>>()
      let seen = 0
      let sent = 0
      for (const stream of streams) {
        seen += 1
        if (seen % STREAMS_PER_TURN === 0) await nextTurn()
        // Streams that are not live, or have just become live, read the events from the log.
        const { filter, filterKey, sentId } = stream
        if (!stream.isLive || sentId >= lastId) continue
        stream.sentId = lastId
        if (!joined.has(filterKey)) joined.set(filterKey, joinMatching(filter, events))
        // A stream that was ahead of the log, because it has read from the store, has some of the events already.
        const found =
          sentId < firstId
            ? joined.get(filterKey)
            : joinMatching(
                filter,
                events.filter(({ id }) => id > sentId),
              )
        if (!found) continue
        if (stream.out.pendingBytes() > PENDING_BYTES_MAX) {
          cut(stream, 'slow')
          continue
        }
        if (found.bytes.length > PENDING_BYTES_MAX) {
          // A burst, for example of trades, is sent as fast as the client reads.
          stream.sentId = sentId
          stream.isLive = false
          follow(stream)
          continue
        }
        write(stream, found.bytes)
        sent += found.count
      }
      observer.onSent(sent)
    },
    reset() {
      const newestId = log.newestId()
      for (const stream of streams) {
        // A stream that is still catching up gets the reset when it resumes.
        if (!stream.isLive) stream.out.end()
        stream.sentId = newestId
        write(stream, resetBytes(newestId))
      }
    },
    isOpen: () => !isClosed,
    close() {
      isClosed = true
      clearInterval(timer)
      for (const stream of streams) stream.out.end()
    },
  }
}

/**
 * An id without data is not an event, but a client that reconnects sends it, so even a filter that never matches
 * resumes.
 */
const idOnly = (id: number) => `id: ${id}\n\n`

const openingBytes = (id: number) => Buffer.from(`${retryLine()}${idOnly(id)}`)

const resetBytes = (id: number) => Buffer.from(`${retryLine()}id: ${id}\nevent: reset\ndata: {}\n\n`)

const commentBytes = (id: number) => Buffer.from(`:\n${idOnly(id)}`)

/** When a node stops, its clients come back at different times. */
export const retryLine = () => `retry: ${1_000 + Math.floor(Math.random() * 4_000)}\n`
