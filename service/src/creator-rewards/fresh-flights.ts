/**
 * Shares work between callers without ever giving anyone an answer that is older than his question: who comes while a
 * flight is under way takes the next one, together with all others who wait. However many ask for one key at once,
 * there are at most two flights.
 */
export function createFreshFlights<Key, T>(run: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const underWay = new Map<Key, Promise<T>>()
  const next = new Map<Key, Promise<T>>()

  function start(key: Key): Promise<T> {
    const flight = run(key).finally(() => underWay.delete(key))
    underWay.set(key, flight)
    return flight
  }

  function queue(key: Key, current: Promise<T>): Promise<T> {
    const begin = () => {
      next.delete(key)
      // Somebody may have been quicker: his flight began after all of these had asked.
      return underWay.get(key) ?? start(key)
    }
    const flight = current.then(begin, begin)
    next.set(key, flight)
    return flight
  }

  return key => {
    const current = underWay.get(key)
    return current ? (next.get(key) ?? queue(key, current)) : start(key)
  }
}
