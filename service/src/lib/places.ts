import { hasNetworkPlace, networkOf } from './client-network.ts'
import type { SharedCounts } from './shared-counts.ts'

/** How many of something clients may have at once. */
export interface PlacesMax {
  all: number
  client: number
}

/** Places that clients take and leave. */
export interface Places {
  /** Takes a place. Returns whose limit is reached, or undefined if the client got it. */
  take(client: string): 'client' | 'all' | undefined
  /** Gives a place back. Call it once for every place that was taken. */
  leave(client: string): void
}

/** The limits hold for all workers together, if they share their counts. `name` identifies these places among them. */
export function createPlaces(name: string, max: PlacesMax, shared?: SharedCounts): Places {
  /** Places of clients, and of the IPv6 networks that they are in. */
  const taken = new Map<string, number>()
  let all = 0
  const keyOf = (client: string) => `${name} ${client}`
  const elsewhere = (key: string) => shared?.others(key)?.count ?? 0

  const countOf = (key: string) => (taken.get(key) ?? 0) + elsewhere(keyOf(key))

  function count(client: string, by: 1 | -1) {
    for (const key of [client, networkOf(client)]) {
      if (key === undefined) continue
      const own = (taken.get(key) ?? 0) + by
      if (own === 0) taken.delete(key)
      else taken.set(key, own)
      shared?.set(keyOf(key), own)
    }
    all += by
    shared?.set(name, all)
  }

  return {
    take(client) {
      if (countOf(client) >= max.client) return 'client'
      const free = max.all - all - elsewhere(name)
      if (free <= 0) return 'all'
      if (!hasNetworkPlace(client, { perClient: max.client, free, countOf })) return 'client'
      count(client, 1)
      return undefined
    },
    leave: client => count(client, -1),
  }
}
