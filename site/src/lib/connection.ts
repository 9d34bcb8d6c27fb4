import { SlipwayError } from '@slipway/client'
import { useSyncExternalStore } from 'react'

/**
 * What the page says about its connection to the service, and when. A strip below the header says it; where data or a
 * part is missing altogether, a notice in its place does. What was loaded stays in sight, whatever happens.
 *
 * | what happens                           | the strip says                   | what is loaded | what is missing       | it ends with                |
 * | -------------------------------------- | -------------------------------- | -------------- | --------------------- | --------------------------- |
 * | the browser has no network             | offline, not updating since …    | stays          | not answering         | the network, or an answer   |
 * | nothing arrives for 4 s                | slow to answer                   | stays          | still being loaded    | any answer                  |
 * | nothing arrives for 15 s               | not answering, not updating …    | stays          | not answering         | any answer                  |
 * | the stream of events is lost twice     | not answering, not updating …    | stays, polled  | not answering         | any answer, or the stream   |
 * | data can't be refreshed                | not answering, not updating …    | stays          | –                     | a refresh that succeeds     |
 * | too many requests                      | too many requests                | stays          | counts down, retries  | a refresh that succeeds     |
 * | a part of the site can't be loaded     | –                                | stays          | try again             | a try, or the outage's end  |
 * | the service has a newer site           | –                                | stays          | reload; by itself once, if nothing is typed | a reload |
 *
 * Parts are loaded by `load-part.ts`, and events applied by `live.ts`. When an outage ends, what failed is tried again.
 */
export interface Outage {
  sinceMs: number
  kind: 'offline' | 'unreachable' | 'limited' | 'slow'
}

/** The service answers within seconds, or says that it can't. */
const SLOW_MS = 4_000
/** Even a slow network brings some part of an answer within this time. */
const HANGING_MS = 15_000
/** A visible page that has received nothing for this long asks whether the service is up. */
const QUIET_MS = 4_000
const CHECK_MS = 1_000
/** For this long after an outage, something may still fail that was asked for during it. */
const JUST_MS = 3_000

export const isLimited = (error: unknown): boolean => error instanceof SlipwayError && error.status === 429

const outages = new Set<Outage>()
const listeners = new Set<() => void>()
let shown: Outage | undefined
let endedMs = 0

/** Shows an outage at the top of the page. Returns a function that ends it. */
export function reportOutage(outage: Outage): () => void {
  outages.add(outage)
  notify()
  return () => {
    outages.delete(outage)
    notify()
  }
}

/** The reason that explains most comes first, and among equals the one that began first. */
const RANKS = { offline: 0, unreachable: 1, limited: 1, slow: 2 }

/** Slow requests still succeed. */
export const isFailure = (outage: Outage | undefined): boolean =>
  outage !== undefined && outage.kind !== 'slow'

function notify() {
  const before = shown
  shown = [...outages].sort((a, b) => RANKS[a.kind] - RANKS[b.kind] || a.sinceMs - b.sinceMs)[0]
  if (isFailure(before) && !isFailure(shown)) endedMs = Date.now()
  for (const listener of listeners) listener()
}

export const hasJustEnded = (): boolean => Date.now() - endedMs < JUST_MS

export const useOutage = (): Outage | undefined =>
  useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => shown,
    () => undefined,
  )

let heardMs = 0
/** Ends the reports of requests that wait. */
const waitingReports = new Set<() => void>()
const answerListeners = new Set<() => void>()

function noteHeard() {
  heardMs = Date.now()
  for (const end of waitingReports) end()
  waitingReports.clear()
}

/** Reports an outage that ends when anything arrives, unless something has arrived since it began. */
function reportUntilHeard(outage: Outage): () => void {
  if (heardMs > outage.sinceMs) return () => {}
  const end = reportOutage(outage)
  waitingReports.add(end)
  return () => {
    waitingReports.delete(end)
    end()
  }
}

/** Calls back when any request gets an answer from the service. Returns a function that stops it. */
function onAnswer(listener: () => void): () => void {
  answerListeners.add(listener)
  return () => void answerListeners.delete(listener)
}

/**
 * A `fetch` that watches its response. While nothing arrives, the page says that the service is slow; in the end, the
 * request fails. An answer that arrives bit by bit has only the client's own limit of a minute.
 */
export const watchedFetch: typeof fetch = async (input, init = {}) => {
  const startMs = Date.now()
  const hanging = new AbortController()
  const silence = watchSilence(() => {
    reportUntilHeard({ sinceMs: startMs, kind: 'unreachable' })
    hanging.abort(new DOMException('nothing arrived', 'TimeoutError'))
  })
  const signals = [hanging.signal, ...(init.signal ? [init.signal] : [])]
  try {
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
    noteHeard()
    // A proxy answers with 502 or 504 for a service that it can't reach.
    if (response.status < 500) for (const listener of answerListeners) listener()
    // A stream of events may be silent for longer.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) silence.end()
    else silence.restart()
    return followBody(response, silence)
  } catch (error) {
    silence.end()
    throw error
  }
}

type Silence = ReturnType<typeof watchSilence>

function watchSilence(onHanging: () => void) {
  let endSlow = () => {}
  let timers: ReturnType<typeof setTimeout>[] = []
  let isEnded = false

  function stop() {
    for (const timer of timers) clearTimeout(timer)
    endSlow()
  }
  function restart() {
    stop()
    if (isEnded) return
    const sinceMs = Date.now()
    timers = [
      setTimeout(() => {
        endSlow = reportUntilHeard({ sinceMs, kind: 'slow' })
      }, SLOW_MS),
      setTimeout(onHanging, HANGING_MS),
    ]
  }
  restart()
  return {
    restart,
    end() {
      isEnded = true
      stop()
    },
  }
}

/** The same response. Each part of its body that arrives is noted. */
function followBody(response: Response, silence: Silence): Response {
  const reader = response.body?.getReader()
  if (!reader) {
    silence.end()
    return response
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        noteHeard()
        silence.restart()
        if (value) controller.enqueue(value)
        if (!done) return
        silence.end()
        controller.close()
      } catch (error) {
        silence.end()
        controller.error(error)
      }
    },
    cancel(reason) {
      silence.end()
      return reader.cancel(reason)
    },
  })
  return new Response(body, response)
}

/** Notices within seconds when the service can no longer be reached, even if nothing on the page asks for anything. */
export function watchConnection(url: string): () => void {
  let isAsking = false
  let askedMs = 0
  let endOffline: (() => void) | undefined
  const endReport = () => {
    endOffline?.()
    endOffline = undefined
  }
  noteHeard()
  async function ask() {
    isAsking = true
    // Any answer will do. A refused connection also ends the stream of events, which reports it.
    await askHealth(url)
      .then(response => {
        // A service on the same machine answers without a network.
        if (response.status < 500) endReport()
        return response.text()
      })
      .catch(() => {})
    askedMs = Date.now()
    isAsking = false
  }
  const timer = setInterval(() => {
    const isQuiet = Date.now() - Math.max(heardMs, askedMs) >= QUIET_MS
    if (!isAsking && isQuiet && document.visibilityState === 'visible') void ask()
  }, CHECK_MS)
  const onOffline = () => {
    endOffline ??= reportOutage({ sinceMs: Date.now(), kind: 'offline' })
  }
  const onOnline = () => {
    endReport()
    // The answer ends the reports of other requests.
    void ask()
  }
  if (!navigator.onLine) {
    onOffline()
    void ask()
  }
  addEventListener('offline', onOffline)
  addEventListener('online', onOnline)
  return () => {
    clearInterval(timer)
    endReport()
    removeEventListener('offline', onOffline)
    removeEventListener('online', onOnline)
  }
}

const askHealth = (url: string) => watchedFetch(`${url}/healthz`, { cache: 'no-store' })

/** A stream that ends may come back at once, as when the service restarts. */
const FAILURES_SHOWN = 2
const PROBE_MS = 500

/** Reports an outage when the stream of events is lost and can't be opened again. */
export function watchStream(
  url: string,
  /** Called when the service is back: what has failed meanwhile is asked for again. */
  onBack: () => void,
) {
  let isClosed = false
  let failures = 0
  let lostMs = 0
  let endOutage: (() => void) | undefined

  function end() {
    failures = 0
    endOutage?.()
    endOutage = undefined
  }
  function report() {
    if (!isClosed && failures > 0) endOutage ??= reportOutage({ sinceMs: lostMs, kind: 'unreachable' })
  }
  // The stream waits before it tries again. Meanwhile, other requests may find that the service is back.
  const stopListening = onAnswer(() => {
    const wasShown = endOutage !== undefined
    end()
    if (wasShown) onBack()
  })

  return {
    note(feed: 'open' | 'reconnecting', error: SlipwayError | undefined) {
      // Any other status is an answer.
      const isLost = feed === 'reconnecting' && (!error || error.status === 0 || error.status >= 500)
      if (!isLost) {
        end()
        if (feed === 'open') onBack()
        return
      }
      if (failures === 0) lostMs = Date.now()
      failures += 1
      if (failures >= FAILURES_SHOWN) report()
      // Lets the page report an outage before the stream tries again.
      else setTimeout(() => void askHealth(url).catch(report), PROBE_MS)
    },
    close() {
      isClosed = true
      stopListening()
      end()
    },
  }
}
