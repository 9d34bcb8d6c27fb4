import type { LaunchData } from '@slipway/client'

export const addressOf = ({ launch }: LaunchData): string => launch.genesisAddress

/**
 * Rows in the order in which they are shown, and how many would rise or arrive above. Those that were loaded below
 * follow at the end, and those that are gone are left out.
 */
export function holdOrder(
  order: readonly string[],
  rows: readonly LaunchData[],
): { shown: LaunchData[]; waitingCount: number } {
  const places = new Map(order.map((address, at) => [address, at]))
  const byAddress = new Map(rows.map(row => [addressOf(row), row]))
  const lastKnown = rows.findLastIndex(row => places.has(addressOf(row)))
  const kept = order.flatMap(address => byAddress.get(address) ?? [])
  const added = rows.slice(lastKnown + 1)
  const newPlaces = rows.slice(0, lastKnown + 1).flatMap(row => places.get(addressOf(row)) ?? [])
  const arrivals = lastKnown + 1 - newPlaces.length
  return { shown: [...kept, ...added], waitingCount: arrivals + countRisen(newPlaces) }
}

/** How many must move up, at least, to turn the old order into the new one: those above a row that was before them. */
function countRisen(places: readonly number[]): number {
  let lowest = Number.POSITIVE_INFINITY
  let risen = 0
  for (const place of places.toReversed()) {
    if (place > lowest) risen += 1
    else lowest = place
  }
  return risen
}
