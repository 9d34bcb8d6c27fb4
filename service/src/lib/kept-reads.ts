import { LRUCache } from 'lru-cache'

/** Shares a read with everyone who asks for the same key while it runs or, if it is at most `ageMsMax` old, later. */
export interface KeptReads<Key, Value> {
  (
    key: Key,
    read: () => Promise<Value>,
    ageMsMax?: number,
    /** Whether the caller can use a value that was read, or began to be, before. If not, it is read again. */
    isEnough?: (value: Value) => boolean,
  ): Promise<Value>
  /** Forgets everything, reads that are running included: whoever asks after this gets a new one. */
  clear(): void
}

/** Keeps what was read until it is more than `keptMs` old or room is needed. A read that fails is not kept. */
export function createKeptReads<Key extends {}, Value>({
  keptMs,
  sizeMax,
  sizeOf = () => 1,
  now = () => performance.now(),
}: {
  keptMs: number
  /** Of all values together. */
  sizeMax: number
  sizeOf?: (value: Value, key: Key) => number
  now?: (() => number) | undefined
}): KeptReads<Key, Value> {
  const kept = new LRUCache<Key, { value: Value; atMs: number }>({
    maxSize: sizeMax,
    sizeCalculation: ({ value }, key) => sizeOf(value, key),
    // What has expired is dropped: otherwise, it would take the room of others.
    ...(Number.isFinite(keptMs) && { ttl: keptMs, ttlResolution: 0, ttlAutopurge: true, perf: { now } }),
  })
  let running = new Map<Key, Promise<Value>>()

  function share(key: Key, read: () => Promise<Value>): Promise<Value> {
    const known = running.get(key)
    if (known) return known
    const among = running
    const reading = run().finally(() => among.delete(key))
    async function run() {
      const value = await read()
      if (among === running) kept.set(key, { value, atMs: now() })
      return value
    }
    running.set(key, reading)
    return reading
  }

  async function get(
    key: Key,
    read: () => Promise<Value>,
    ageMsMax = keptMs,
    isEnough: (value: Value) => boolean = () => true,
  ): Promise<Value> {
    const known = kept.get(key)
    if (known && now() - known.atMs <= ageMsMax && isEnough(known.value)) return known.value
    const shared = await share(key, read)
    return isEnough(shared) ? shared : share(key, read)
  }

  return Object.assign(get, {
    clear() {
      kept.clear()
      running = new Map()
    },
  })
}

/** The same for work that has only one result. */
export function createCachedCall<T>(work: () => Promise<T>, keptMs: number): () => Promise<T> {
  const keep = createKeptReads<'only', T>({ keptMs, sizeMax: 1 })
  return () => keep('only', work)
}
