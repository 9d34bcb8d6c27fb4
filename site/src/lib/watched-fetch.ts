import { reportOutage } from './outage.ts'

/**
 * The service answers within seconds, or says that it can't. The page mentions a request that waits longer than this.
 */
const SLOW_MS = 4_000
/** Even a slow network brings some part of an answer within this time. */
const HANGING_MS = 15_000

let heardMs = 0
/** Ends the outage that a hanging request has reported. */
let endOutage: (() => void) | undefined
/** Each function ends the report of one waiting request. */
const slowReports = new Set<() => void>()
const answerListeners = new Set<() => void>()

/** Calls back when any request gets an answer from the service. Returns a function that stops it. */
export function onAnswer(listener: () => void): () => void {
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
    // If something else was answered in the meantime, the service is there.
    if (heardMs < startMs) endOutage ??= reportOutage({ sinceMs: startMs, kind: 'unreachable' })
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
  let endSlow: (() => void) | undefined
  let timers: ReturnType<typeof setTimeout>[] = []
  let isEnded = false

  function endReport() {
    endSlow?.()
    endSlow = undefined
    slowReports.delete(endReport)
  }
  function stop() {
    for (const timer of timers) clearTimeout(timer)
    endReport()
  }
  function restart() {
    stop()
    if (isEnded) return
    const sinceMs = Date.now()
    timers = [
      setTimeout(() => {
        // If something else was answered in the meantime, the service is not slow.
        if (heardMs > sinceMs) return
        endSlow = reportOutage({ sinceMs, kind: 'slow' })
        slowReports.add(endReport)
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

function noteHeard() {
  heardMs = Date.now()
  endOutage?.()
  endOutage = undefined
  for (const endReport of slowReports) endReport()
}

/** A visible page that has received nothing for this long asks whether the service is up. */
const QUIET_MS = 4_000
const CHECK_MS = 1_000

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
    await watchedFetch(`${url}/healthz`, { cache: 'no-store' })
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
