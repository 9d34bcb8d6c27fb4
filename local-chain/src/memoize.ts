/** Caches up to `max` results of a pure function, and clears the cache when it is full. */
export function memoize<K, V>(max: number, compute: (key: K) => V): (key: K) => V {
  const results = new Map<K, V>()
  return key => {
    const known = results.get(key)
    if (known !== undefined) return known
    const computed = compute(key)
    if (results.size >= max) results.clear()
    results.set(key, computed)
    return computed
  }
}
