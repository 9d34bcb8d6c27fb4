import type { Endpoint } from '../../endpoint/endpoint.ts'
import { pathOf } from '../../endpoint/parse-url.ts'
import type { EventLoopLag } from '../../telemetry/event-loop-lag.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'

export interface LoadShedder {
  /**
   * Takes a request that has to be routed, or returns undefined if the node has too much to do. Call the result once, when
   * the response is sent or the client has gone.
   */
  admit(method: string, url: string): (() => void) | undefined
  /** The node is so busy that even prepared answers have to be refused. */
  isOverwhelmed(): boolean
}

const IN_FLIGHT_MAX = 1_000
/** Processor time per turn of the event loop. Wall time would count what other processes do. */
const OVERWHELMED_MS = 250
/** A single long turn can be a garbage collection. */
const OVERWHELMED_SAMPLES = 3
/** Addresses have at least this many characters, and the fixed parts of paths have fewer. */
const ADDRESS_LENGTH_MIN = 32

/** Refuses requests before any work is done for them. Each endpoint has a limit of its own, because their times differ. */
export function createLoadShedder(
  endpoints: readonly Pick<Endpoint, 'method' | 'path'>[],
  lag: Pick<EventLoopLag, 'onSample'>,
): LoadShedder {
  const limits = new Map<string, ConcurrencyLimit>()
  for (const { method, path } of endpoints)
    limits.set(`${method} ${path.replace(/\{\w+\}/g, '*')}`, createConcurrencyLimit())
  const others = createConcurrencyLimit()
  let inFlight = 0
  let longTurns = 0
  lag.onSample(({ workMs }) => {
    longTurns = workMs > OVERWHELMED_MS ? longTurns + 1 : 0
  })

  return {
    admit(method, url) {
      const limit = limits.get(`${method === 'HEAD' ? 'GET' : method} ${shapeOf(url)}`) ?? others
      if (inFlight >= IN_FLIGHT_MAX || !limit.admit()) return undefined
      inFlight += 1
      const startMs = performance.now()
      return () => {
        inFlight -= 1
        limit.release(performance.now() - startMs)
      }
    },
    isOverwhelmed: () => longTurns >= OVERWHELMED_SAMPLES,
  }
}

/** The path with `*` for each address. */
const shapeOf = (url: string) =>
  pathOf(url)
    .split('/')
    .map(part => (part.length >= ADDRESS_LENGTH_MIN ? '*' : part))
    .join('/')
