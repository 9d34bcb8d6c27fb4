import type { Endpoint } from '../../endpoint/endpoint.ts'
import type { EventLoopLag } from '../../telemetry/event-loop-lag.ts'

export interface LoadShedder {
  limitOf(endpoint: Endpoint): ConcurrencyLimit
  /** The node is so busy that even prepared answers have to be refused. */
  isOverwhelmed(): boolean
}

/** Processor time per turn of the event loop. Wall time would count what other processes do. */
const OVERWHELMED_MS = 250
/** A single long turn can be a garbage collection. */
const OVERWHELMED_SAMPLES = 3

/**
 * Each endpoint has a limit of its own, because their times differ. A slot is taken when a request is complete and returned
 * when its answer is ready: how fast a client sends and reads must not matter to others.
 */
export function createLoadShedder(lag: Pick<EventLoopLag, 'onSample'>): LoadShedder {
  const limits = new Map<Endpoint, ConcurrencyLimit>()
  let longTurns = 0
  lag.onSample(({ workMs }) => {
    longTurns = workMs > OVERWHELMED_MS ? longTurns + 1 : 0
  })

  return {
    limitOf(endpoint) {
      const limit = limits.get(endpoint) ?? createConcurrencyLimit()
      limits.set(endpoint, limit)
      return limit
    },
    isOverwhelmed: () => longTurns >= OVERWHELMED_SAMPLES,
  }
}

/** How many requests of one kind may be in flight. */
export interface ConcurrencyLimit {
  isFull(): boolean
  /** Takes a request, or returns false if there are too many. */
  admit(): boolean
  /** Call it once for every admitted request, with the time that it took. */
  release(ms: number): void
}

/** A burst of this size is no overload yet. */
const LIMIT_START = 128
const LIMIT_MIN = 8
const LIMIT_MAX = 1_000
/** Per window. */
const GROWTH = 1.25
/** Requests may take this many times as long as without load. */
const TOLERANCE = 2
/** Differences below this are noise, not queues. */
const QUICK_MS = 3
const WINDOW_MS = 100
const WINDOW_SAMPLES = 10
/** With this few in flight, requests don't wait for each other, so their time is the time without load. */
const UNLOADED = 4
/** Under load, the time without load is measured again after this. */
const PROBE_AFTER_MS = 30_000

/**
 * Adapts the limit to the time that requests take, as TCP Vegas does for packets: when they take much longer than without
 * load, they wait for each other somewhere (in the event loop, the database or the RPC), and fewer are admitted.
 */
export function createConcurrencyLimit(clock: () => number = () => performance.now()): ConcurrencyLimit {
  let limit = LIMIT_START
  let inFlight = 0
  let inFlightPeak = 0
  let unloadedMs = Number.POSITIVE_INFINITY
  let unloadedAtMs = Number.NEGATIVE_INFINITY
  /** While the time without load is measured: the limit to return to. */
  let limitAfterProbe: number | undefined
  let times: number[] = []
  let windowStartMs = clock()

  function adapt(nowMs: number) {
    const median = times.sort((a, b) => a - b)[times.length >> 1] as number
    if (limitAfterProbe !== undefined) {
      limit = limitAfterProbe
      limitAfterProbe = undefined
      return noteUnloaded(median, nowMs)
    }
    if (inFlightPeak <= UNLOADED) noteUnloaded(median, nowMs)
    else unloadedMs = Math.min(unloadedMs, median)
    const isFull = inFlightPeak >= limit
    const allowedMs = TOLERANCE * Math.max(unloadedMs, QUICK_MS)
    if (inFlightPeak >= limit / 2) limit *= Math.min(GROWTH, allowedMs / median)
    // With few in flight, it isn't their number that makes them slow.
    else if (limit < LIMIT_START) limit *= GROWTH
    limit = Math.min(LIMIT_MAX, Math.max(LIMIT_MIN, limit))
    if (isFull && nowMs - unloadedAtMs > PROBE_AFTER_MS) {
      limitAfterProbe = limit
      limit = UNLOADED
    }
  }

  function noteUnloaded(ms: number, nowMs: number) {
    unloadedMs = ms
    unloadedAtMs = nowMs
  }

  return {
    isFull: () => inFlight >= limit,
    admit() {
      if (inFlight >= limit) return false
      inFlight += 1
      inFlightPeak = Math.max(inFlightPeak, inFlight)
      return true
    },
    release(ms) {
      inFlight -= 1
      const nowMs = clock()
      // Older requests were admitted with another limit.
      if (nowMs - ms < windowStartMs) return
      times.push(ms)
      if (times.length < WINDOW_SAMPLES || nowMs - windowStartMs < WINDOW_MS) return
      adapt(nowMs)
      times = []
      windowStartMs = nowMs
      inFlightPeak = inFlight
    },
  }
}
