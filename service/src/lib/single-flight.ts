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

/**
 * Runs work once per key at a time, but a caller never gets a result whose run began before the call. A caller that
 * arrives during a run shares the next one with all others that wait for it.
 */
export function createFreshSingleFlight<Key, T>(work: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const running = new Map<Key, Promise<T>>()
  const next = new Map<Key, Promise<T>>()

  function start(key: Key): Promise<T> {
    const run = work(key).finally(() => running.delete(key))
    running.set(key, run)
    return run
  }

  function queue(key: Key, current: Promise<T>): Promise<T> {
    const begin = () => {
      next.delete(key)
      // A new caller may have started a run in the meantime. It began after all of these calls, so they can share it.
      return running.get(key) ?? start(key)
    }
    const run = current.then(begin, begin)
    next.set(key, run)
    return run
  }

  return key => {
    const current = running.get(key)
    return current ? (next.get(key) ?? queue(key, current)) : start(key)
  }
}
