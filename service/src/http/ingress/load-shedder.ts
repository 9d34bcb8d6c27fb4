import type { Endpoint } from '../../endpoint/endpoint.ts'

/**
 * How many requests to one endpoint may be in flight. More would only wait for the event loop, the database or the
 * RPC.
 */
export const IN_FLIGHT_MAX = 128

export interface ConcurrencyLimit {
  isFull(): boolean
  /** Takes a request, or returns false if there are too many. */
  admit(): boolean
  /** Call it once for every admitted request. */
  release(): void
}

export interface LoadShedder {
  limitOf(endpoint: Endpoint): ConcurrencyLimit
}

/**
 * Each endpoint has a limit of its own, so that a slow one can't stop the others. A request takes a slot once it is
 * complete, and returns it when its answer is ready: a client that sends or reads slowly must not affect others.
 */
export function createLoadShedder(inFlightMax = IN_FLIGHT_MAX): LoadShedder {
  const limits = new Map<Endpoint, ConcurrencyLimit>()
  return {
    limitOf(endpoint) {
      const limit = limits.get(endpoint) ?? createConcurrencyLimit(inFlightMax)
      limits.set(endpoint, limit)
      return limit
    },
  }
}

function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let inFlight = 0
  return {
    isFull: () => inFlight >= max,
    admit() {
      if (inFlight >= max) return false
      inFlight += 1
      return true
    },
    release() {
      inFlight -= 1
    },
  }
}

interface PacedQueue<Item> {
  add(item: Item): void
}

const INTERVAL_MS = 10
const PER_INTERVAL = 5
const INTERVALS_MAX = 100
/** Bounds the memory: further items are sent at once. */
const WAITING_MAX = 5_000

/**
 * Sends items at a steady pace: every 10 ms, the five oldest or a hundredth of those waiting, whichever is
 * more. At a steady load, an item waits a second at most. The last item of a burst of thousands waits about
 * three.
 */
export function createPacedQueue<Item>(send: (item: Item) => void): PacedQueue<Item> {
  const waiting: Item[] = []

  function sendOldest() {
    const oldest = waiting.splice(0, Math.max(PER_INTERVAL, waiting.length / INTERVALS_MAX))
    if (waiting.length > 0) setTimeout(sendOldest, INTERVAL_MS)
    for (const item of oldest) send(item)
  }

  return {
    add(item) {
      if (waiting.length >= WAITING_MAX) return send(item)
      if (waiting.push(item) === 1) setTimeout(sendOldest, INTERVAL_MS)
    },
  }
}
