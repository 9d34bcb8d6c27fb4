/**
 * A map made of many small ones. One map with hundreds of thousands of keys blocks the event loop for tens of milliseconds whenever
 * it grows.
 */
export interface ShardedMap<Key extends string, Value>
  extends Pick<Map<Key, Value>, 'get' | 'delete' | 'size'> {
  set(key: Key, value: Value): void
  /** In no particular order. */
  keys(): Generator<Key>
}

const SHARDS = 256

export function createShardedMap<Key extends string, Value>(): ShardedMap<Key, Value> {
  const shards = Array.from({ length: SHARDS }, () => new Map<Key, Value>())
  const shardOf = (key: Key) => shards[hashEnd(key)] as Map<Key, Value>
  return {
    get: key => shardOf(key).get(key),
    set: (key, value) => void shardOf(key).set(key, value),
    delete: key => shardOf(key).delete(key),
    *keys() {
      for (const shard of shards) yield* shard.keys()
    },
    get size() {
      return shards.reduce((sum, shard) => sum + shard.size, 0)
    },
  }
}

/** The last characters of an address are as good as random. */
function hashEnd(key: string): number {
  const { length } = key
  return (key.charCodeAt(length - 1) * 31 + key.charCodeAt(length - 2)) & (SHARDS - 1)
}
