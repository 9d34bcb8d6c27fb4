import { ServiceError } from '@slipway/schema/errors'
import { LRUCache } from 'lru-cache'
import { createSingleFlight } from './single-flight.ts'

/** Shares a read with everyone who asks for the same key while it runs or, if it is at most `ageMsMax` old, later. */
export type KeptReads<Key, Value> = (
  key: Key,
  read: () => Promise<Value>,
  ageMsMax?: number,
  /** Whether the caller can use a value that was read, or began to be, before. If not, it is read again. */
  isEnough?: (value: Value) => boolean,
) => Promise<Value>

/** An upstream that has just failed is not asked again at once. */
const FAILURE_KEPT_MS = 1_000

interface Kept<Value> {
  reading: Promise<Value>
  atMs: number
  size: number
  hasFailed: boolean
}

/**
 * Keeps what was read, and failures for a second. Refusals (`ServiceError`) are not kept: the next caller may not be
 * refused.
 */
export function createKeptReads<Key extends {}, Value>({
  keptMs,
  sizeMax,
  sizeOf = () => 1,
  now = () => performance.now(),
}: {
  keptMs: number
  /** Of all values together. */
  sizeMax: number
  sizeOf?: (value: Value) => number
  now?: (() => number) | undefined
}): KeptReads<Key, Value> {
  const kept = new LRUCache<Key, Kept<Value>>({
    maxSize: sizeMax,
    sizeCalculation: ({ size }) => size,
    ttl: Math.max(keptMs, FAILURE_KEPT_MS),
    ttlResolution: 0,
    perf: { now },
  })
  const share = createSingleFlight<Key, Value>()

  async function readNow(key: Key, read: () => Promise<Value>): Promise<Value> {
    const reading = read()
    const keep = (size: number, hasFailed: boolean) =>
      kept.set(key, { reading, atMs: now(), size, hasFailed })
    try {
      const value = await reading
      keep(sizeOf(value), false)
      return value
    } catch (error) {
      if (!(error instanceof ServiceError)) keep(1, true)
      throw error
    }
  }

  return async (key, read, ageMsMax = keptMs, isEnough = () => true) => {
    const known = kept.get(key)
    if (known && now() - known.atMs <= (known.hasFailed ? FAILURE_KEPT_MS : ageMsMax)) {
      const value = await known.reading
      if (isEnough(value)) return value
    }
    const shared = await share(key, () => readNow(key, read))
    return isEnough(shared) ? shared : share(key, () => readNow(key, read))
  }
}
