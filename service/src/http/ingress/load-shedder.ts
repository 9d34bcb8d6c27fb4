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
