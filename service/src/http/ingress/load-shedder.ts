import type { Endpoint } from '../../endpoint/endpoint.ts'
import { pathOf } from '../../endpoint/parse-url.ts'
import type { EventLoopLag } from '../../telemetry/event-loop-lag.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'

export interface LoadShedder {
  /** The limit of the endpoint with this path, or at this URL. */
  limitOf(method: string, pathOrUrl: string): ConcurrencyLimit | undefined
  /** The node is so busy that even prepared answers have to be refused. */
  isOverwhelmed(): boolean
}

/** Processor time per turn of the event loop. Wall time would count what other processes do. */
const OVERWHELMED_MS = 250
/** A single long turn can be a garbage collection. */
const OVERWHELMED_SAMPLES = 3
/** Addresses and hashes have at least 32 characters, and the fixed parts of paths have fewer. */
const PARAMETER = /\{[^/]*|[^/]{32,}/g

/**
 * Each endpoint has a limit of its own, because their times differ. A slot is taken when a request is complete and returned
 * when its answer is ready: how fast a client sends and reads must not matter to others.
 */
export function createLoadShedder(
  endpoints: readonly Pick<Endpoint, 'method' | 'path'>[],
  lag: Pick<EventLoopLag, 'onSample'>,
): LoadShedder {
  const limits = new Map<string, ConcurrencyLimit>()
  for (const { method, path } of endpoints) limits.set(keyOf(method, path), createConcurrencyLimit())
  let longTurns = 0
  lag.onSample(({ workMs }) => {
    longTurns = workMs > OVERWHELMED_MS ? longTurns + 1 : 0
  })

  return {
    limitOf: (method, pathOrUrl) => limits.get(keyOf(method, pathOrUrl)),
    isOverwhelmed: () => longTurns >= OVERWHELMED_SAMPLES,
  }
}

const keyOf = (method: string, pathOrUrl: string) =>
  `${method === 'HEAD' ? 'GET' : method} ${pathOf(pathOrUrl).replace(PARAMETER, '*')}`
