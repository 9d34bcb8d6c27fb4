/** Runs work once per key at a time: a caller whose key is already running waits for that run. */
export function createSingleFlight<Key, T>(): (key: Key, work: () => Promise<T>) => Promise<T> {
  const running = new Map<Key, Promise<T>>()
  return (key, work) => {
    const known = running.get(key)
    if (known) return known
    const run = work().finally(() => running.delete(key))
    running.set(key, run)
    return run
  }
}
