import type { EventLoopLag } from '../../telemetry/event-loop-lag.ts'
import type { CurrentTurn } from './turns.ts'

export interface LoadShedder {
  /** Takes a request that has to be routed, or returns false if the node has too much to do. */
  admit(): boolean
  /** Starts an admitted request, now or in one of the next turns of the event loop, or refuses it after a long wait. */
  start(request: { work(): void; refuse(): void }): void
  /** Call it once for every admitted request, when its response is sent or its client has gone. */
  release(): void
  /** Call it for every new connection. */
  noteConnection(): void
  /** The node is so busy that even prepared answers have to be refused. */
  isOverwhelmed(): boolean
}

const IN_FLIGHT_MAX = 1_000
/** Fewer are never refused, however busy the event loop is. */
const IN_FLIGHT_MIN = 16
/** Processor time per turn of the event loop. Wall time would count what other processes do. */
const BUSY_MS = 10
const VERY_BUSY_MS = 250
/** A busy turn alone can be a garbage collection, and a queue alone a burst. */
const BUSY_SAMPLES = 3
const OVERLOADED_MS = 100
/** In one turn of the event loop, requests are started for this long. Others wait for the next turns. */
const STARTING_MS = 5
/** A request that has waited this long is refused instead: whoever comes later is then answered in time. */
const WAIT_MS_MAX = 500
/**
 * Node accepts one connection per turn of the event loop. While clients connect, this many turns in a row start nothing
 * that waits, so that a health check is not stuck behind a thousand other new connections.
 */
const TURNS_SKIPPED_MAX = 16

/**
 * Adapts the number of requests in flight to what the event loop can do: while its turns are long or requests queue for
 * their start, fewer are admitted, and the others are refused at once. Requests that wait for a slow upstream don't keep
 * the loop busy, so many of them may wait.
 */
export function createLoadShedder(
  lag: EventLoopLag,
  currentTurn: CurrentTurn,
  onLimit: (limit: number) => void = () => {},
): LoadShedder {
  let limit = IN_FLIGHT_MAX
  let inFlight = 0
  let inFlightPeak = 0
  let busySamples = 0
  let busySinceMs = 0
  let isOverwhelmed = false
  let turn = 0
  let startUntilMs = 0
  let hasAccepted = false
  let turnsSkipped = 0
  const waiting: { request: { work(): void; refuse(): void }; sinceMs: number }[] = []

  lag.onSample(({ workMs }) => {
    const nowMs = performance.now()
    const isBusy = workMs > BUSY_MS || waiting.length > 0
    busySamples = isBusy ? busySamples + 1 : 0
    if (busySamples <= 1) busySinceMs = nowMs
    const isOverloaded = busySamples >= BUSY_SAMPLES && nowMs - busySinceMs >= OVERLOADED_MS
    isOverwhelmed = isOverloaded && workMs > VERY_BUSY_MS
    // The length of a turn depends on the number of requests in flight.
    const part = Math.min(0.8, Math.max(0.1, BUSY_MS / workMs))
    if (isOverloaded) limit = Math.max(IN_FLIGHT_MIN, Math.round(inFlightPeak * part))
    else if (!isBusy) limit = Math.min(IN_FLIGHT_MAX, Math.ceil(limit * 1.2))
    inFlightPeak = inFlight
    onLimit(limit)
  })

  /** Starts what waits, but leaves others their time. */
  function startWaiting() {
    if (hasAccepted && turnsSkipped < TURNS_SKIPPED_MAX) {
      hasAccepted = false
      turnsSkipped += 1
      return void setImmediate(startWaiting)
    }
    hasAccepted = false
    turnsSkipped = 0
    startUntilMs = performance.now() + STARTING_MS
    startNext()
  }

  function startNext() {
    const nowMs = performance.now()
    if (nowMs >= startUntilMs) return void setImmediate(startWaiting)
    const next = waiting.shift()
    if (!next) return
    if (nowMs - next.sinceMs > WAIT_MS_MAX) next.request.refuse()
    else next.request.work()
    // A request does its first work in microtasks. The next one starts after them, so that their time counts.
    if (waiting.length > 0) queueMicrotask(() => process.nextTick(startNext))
  }

  return {
    admit() {
      if (inFlight >= limit) return false
      inFlight += 1
      inFlightPeak = Math.max(inFlightPeak, inFlight)
      return true
    },
    start(request) {
      const nowMs = performance.now()
      if (turn !== currentTurn()) {
        turn = currentTurn()
        startUntilMs = nowMs + STARTING_MS
      }
      if (nowMs < startUntilMs && waiting.length === 0) return request.work()
      if (waiting.push({ request, sinceMs: nowMs }) === 1) setImmediate(startWaiting)
    },
    release() {
      inFlight -= 1
    },
    noteConnection() {
      hasAccepted = true
    },
    isOverwhelmed: () => isOverwhelmed,
  }
}
