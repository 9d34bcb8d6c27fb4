import type { Endpoint } from '../../endpoint/endpoint.ts'
import { pathOf } from '../../endpoint/parse-url.ts'
import type { EventLoopLag } from '../../telemetry/event-loop-lag.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'

export interface LoadShedder {
  /** A request to this URL would be refused after its body has been read. */
  isFull(method: string, url: string): boolean
  limitOf(endpoint: Pick<Endpoint, 'method' | 'path'>): ConcurrencyLimit
  /** The node is so busy that even prepared answers have to be refused. */
  isOverwhelmed(): boolean
}

/** Processor time per turn of the event loop. Wall time would count what other processes do. */
const OVERWHELMED_MS = 250
/** A single long turn can be a garbage collection. */
const OVERWHELMED_SAMPLES = 3
/** Addresses have at least this many characters, and the fixed parts of paths have fewer. */
const ADDRESS_LENGTH_MIN = 32

/**
 * Each endpoint has a limit of its own, because their times differ. A slot is taken when a request is complete and returned
 * when its answer is ready: how fast a client sends and reads must not matter to others.
 */
export function createLoadShedder(
  endpoints: readonly Pick<Endpoint, 'method' | 'path'>[],
  lag: Pick<EventLoopLag, 'onSample'>,
): LoadShedder {
  const limits = new Map<string, ConcurrencyLimit>()
  for (const endpoint of endpoints) limits.set(keyOf(endpoint), createConcurrencyLimit())
  let longTurns = 0
  lag.onSample(({ workMs }) => {
    longTurns = workMs > OVERWHELMED_MS ? longTurns + 1 : 0
  })

  return {
    isFull: (method, url) =>
      limits.get(`${method === 'HEAD' ? 'GET' : method} ${shapeOf(url)}`)?.isFull() ?? false,
    limitOf: endpoint => limits.get(keyOf(endpoint)) ?? createConcurrencyLimit(),
    isOverwhelmed: () => longTurns >= OVERWHELMED_SAMPLES,
  }
}

const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) =>
  `${method} ${shapeOf(path.replace(/\{\w+\}/g, 'x'.repeat(ADDRESS_LENGTH_MIN)))}`

/** The path with `*` for each address or hash. */
const shapeOf = (url: string) =>
  pathOf(url)
    .split('/')
    .map(part => (part.length >= ADDRESS_LENGTH_MIN ? '*' : part))
    .join('/')
