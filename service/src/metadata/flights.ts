/** Work under way by key: whoever asks for what is already in the air waits for that. */
export interface Flights<T> {
  share(key: string, work: () => Promise<T>): Promise<T>
}

export function createFlights<T>(): Flights<T> {
  const flying = new Map<string, Promise<T>>()
  return {
    share(key, work) {
      const known = flying.get(key)
      if (known) return known
      const flight = work().finally(() => flying.delete(key))
      flying.set(key, flight)
      return flight
    },
  }
}
