import { createSseParser, type SseMessage } from './parse-sse.ts'
import { pause } from './pause.ts'
import { parseErrorResponse, SlipwayError } from './slipway-error.ts'
import { buildUrl, reasonOf } from './transport.ts'
import type { Address, EventData, EventType, Network } from './types.ts'

/** Something happened to a launch or an agent. `address` is that of the launch's genesis account, or of the agent. */
export interface FeedEvent extends EventData {
  type: EventType
  /** Pass it as `lastEventId` to continue after this event. */
  id: string
}

/** Events were missed, because `lastEventId` is too old: read again what you show. Newer events follow. */
export interface ResetEvent {
  type: 'reset'
  id: string | undefined
}

export type SlipwayEvent = FeedEvent | ResetEvent

export interface EventFilter {
  /** Only these types; all but `launch.trade` by default. */
  types?: readonly EventType[] | undefined
  /** Only this launch or agent. */
  address?: Address | undefined
  /** Only this network; the client's by default, or all that the service has if the client has none. */
  network?: Network | undefined
}

export type FeedStatus = 'open' | 'reconnecting'

export interface EventOptions {
  /** Ends the feed, without an error. */
  signal?: AbortSignal | undefined
  /** Continues after this event. The service keeps events for at least an hour. */
  lastEventId?: string | undefined
  /** Called when the connection opens, and, with the reason, when it is lost or can't be made. */
  onStatus?: ((status: FeedStatus, error?: SlipwayError) => void) | undefined
  /** Reconnects if nothing arrives for this long; 45,000 by default. The service sends something every 15 seconds. */
  silenceMs?: number | undefined
}

export type EventFeed = (
  filter?: EventFilter,
  options?: EventOptions,
) => AsyncGenerator<SlipwayEvent, void, undefined>

const SILENCE_MS = 45_000
/** The first attempt to reconnect comes within this time, even if the service proposes to wait for longer. */
const DELAY_MS = 1_000
const DELAY_MS_MAX = 10_000
const RETRY_AFTER_MS_MAX = 300_000

export function createEventFeed(settings: {
  url: string
  fetch: typeof globalThis.fetch
  network: Network | undefined
}): EventFeed {
  return async function* events(
    filter: EventFilter = {},
    { signal, lastEventId, onStatus, silenceMs = SILENCE_MS }: EventOptions = {},
  ): AsyncGenerator<SlipwayEvent, void, undefined> {
    const query = {
      network: filter.network ?? settings.network,
      types: filter.types?.join(','),
      address: filter.address,
    }
    const url = buildUrl(settings.url, { path: '/v1/events', query })
    let failures = 0
    let delayMs = DELAY_MS
    while (!signal?.aborted) {
      const connection = new AbortController()
      const close = () => connection.abort()
      signal?.addEventListener('abort', close)
      let reason: SlipwayError
      let isOpen = false
      try {
        const parser = createSseParser({
          lastEventId,
          onRetry: ms => {
            delayMs = Math.min(ms, DELAY_MS)
          },
        })
        const { fetch, url: service } = settings
        const read = await open(url, connection, { fetch, service, lastEventId, silenceMs })
        isOpen = true
        onStatus?.('open')
        for (let text = await read(); text !== undefined; text = await read()) {
          failures = 0
          for (const message of parser.push(text)) {
            // This counts even if the consumer stops at this event, because it has seen it.
            lastEventId = message.id
            const event = parseEvent(message)
            if (event) yield event
          }
          lastEventId = parser.lastEventId
        }
        reason = new SlipwayError(`${settings.url} ended the stream`, { code: 'NETWORK_ERROR' })
      } catch (error) {
        if (signal?.aborted) return
        reason = error instanceof SlipwayError ? error : explainFailure(settings.url, error, isOpen)
        if (isFinal(reason)) throw reason
      } finally {
        signal?.removeEventListener('abort', close)
        connection.abort()
      }
      onStatus?.('reconnecting', reason)
      // Any share of the delay: when a service restarts, its clients must not all come back at once.
      const backoffMs = Math.min(DELAY_MS_MAX, delayMs * 2 ** failures) * Math.random()
      failures += 1
      await pause(Math.max(backoffMs, retryAfterMs(reason)), signal).catch(() => {})
    }
  }
}

/** Opens the stream. Returns a function that reads the next piece of text, or undefined at the end. */
async function open(
  url: string,
  connection: AbortController,
  settings: {
    fetch: typeof globalThis.fetch
    /** Where the service runs, for messages. */
    service: string
    lastEventId: string | undefined
    silenceMs: number
  },
): Promise<() => Promise<string | undefined>> {
  const { lastEventId, silenceMs } = settings
  const headers = {
    accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  const response = await withLimit(() => settings.fetch(url, { headers, signal: connection.signal }))
  if (!response.ok) throw parseErrorResponse(response, await withLimit(() => response.text()))
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new SlipwayError('Unexpected response: not an event stream', {
      status: response.status,
      code: 'UNKNOWN_RESPONSE',
    })
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  return async () => {
    const { done, value } = await withLimit(() => reader.read())
    return done ? undefined : decoder.decode(value, { stream: true })
  }

  /** The time counts only while the feed waits: a slow consumer is not a silent connection. */
  async function withLimit<Value>(wait: () => Promise<Value>): Promise<Value> {
    const timer = setTimeout(
      () =>
        connection.abort(
          new SlipwayError(`Nothing arrived from ${settings.service} for ${silenceMs} ms`, {
            code: 'TIMEOUT',
          }),
        ),
      silenceMs,
    )
    try {
      return await wait()
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Undefined for an event that is not one of ours: a newer service may send more. */
function parseEvent({ event, data, id }: SseMessage): SlipwayEvent | undefined {
  if (event === 'reset') return { type: 'reset', id }
  try {
    return { ...(JSON.parse(data) as EventData), type: event as EventType, id: id ?? '' }
  } catch {
    return undefined
  }
}

function explainFailure(service: string, cause: unknown, isOpen: boolean): SlipwayError {
  const what = isOpen ? 'Lost the connection to' : 'Could not reach'
  return new SlipwayError(`${what} ${service}: ${reasonOf(cause)}`, { code: 'NETWORK_ERROR', cause })
}

/** A request that the service refuses will be refused again. */
const isFinal = ({ status }: SlipwayError) =>
  status >= 400 && status < 500 && status !== 408 && status !== 429

const retryAfterMs = ({ retryAfter = 0 }: SlipwayError) => Math.min(RETRY_AFTER_MS_MAX, retryAfter * 1_000)
