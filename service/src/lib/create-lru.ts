import { LRUCache } from 'lru-cache'

type Times = Pick<LRUCache.OptionsBase<never, never, never>, 'ttl' | 'ttlResolution' | 'perf'>

/**
 * Keeps the `entriesMax` entries that were used last. Its memory grows with what it holds: with `max`, the cache would
 * allocate all of it when it is created.
 */
export const createLru = <Key extends {}, Value extends {}>(entriesMax: number, times: Times = {}) =>
  new LRUCache<Key, Value>({ ...times, maxSize: entriesMax, sizeCalculation: () => 1 })
