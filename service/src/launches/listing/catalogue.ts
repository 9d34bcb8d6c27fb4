import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LaunchStatus } from '@slipway/schema/launch'
import { compareEntries, type Entry, startEntry } from './entry.ts'
import { EMPTY_LISTING, type Listing, updateListing } from './listing.ts'

export interface ListingFilter {
  status: LaunchStatus | undefined
  spotlight: boolean | undefined
}

/** One listing for each filter of a network. */
export type Catalogue = ReadonlyMap<FilterKey, Listing>

export interface Change {
  before: Entry | undefined
  after: Entry | undefined
}

type FilterKey = `${LaunchStatus | 'any'}/${boolean | 'any'}`

export const filterKey = ({ status, spotlight }: ListingFilter): FilterKey =>
  `${status ?? 'any'}/${spotlight ?? 'any'}`

const MANY_CHANGES = 500

const STATUSES = [undefined, 'upcoming', 'live', 'graduated'] as const
const SPOTLIGHTS = [undefined, true, false] as const
const FILTER_KEYS = STATUSES.flatMap(status => SPOTLIGHTS.map(spotlight => filterKey({ status, spotlight })))

export const EMPTY_CATALOGUE: Catalogue = new Map(FILTER_KEYS.map(key => [key, EMPTY_LISTING]))

/** The catalogue after these changes; listings that none of them concerns are the same objects as before. */
export async function updateCatalogue(catalogue: Catalogue, changes: readonly Change[]): Promise<Catalogue> {
  const moves = new Map<FilterKey, { removed: Entry[]; added: Entry[] }>()
  const moveOf = (key: FilterKey) => {
    const move = moves.get(key) ?? { removed: [], added: [] }
    moves.set(key, move)
    return move
  }
  for (const { before } of changes) {
    if (before) for (const key of filterKeysOf(before)) moveOf(key).removed.push(before)
  }
  // Sorted once for all listings.
  const added = changes.flatMap(({ after }) => after ?? []).sort(compareEntries)
  if (changes.length > MANY_CHANGES) await nextTurn()
  for (const entry of added) {
    for (const key of filterKeysOf(entry)) moveOf(key).added.push(entry)
  }
  const updated = new Map(catalogue)
  for (const [key, { removed, added }] of moves) {
    updated.set(key, updateListing(catalogue.get(key) ?? EMPTY_LISTING, removed, added))
    // Requests are answered in between.
    if (changes.length > MANY_CHANGES) await nextTurn()
  }
  return updated
}

/** When the next launch of the catalogue starts: until then its statuses hold. */
export function nextStartMs(catalogue: Catalogue): number {
  const upcoming = catalogue.get(filterKey({ status: 'upcoming', spotlight: undefined })) ?? EMPTY_LISTING
  return upcoming.segments.reduce(
    (min, segment) => Math.min(min, segment.nextStartMs),
    Number.POSITIVE_INFINITY,
  )
}

/** What has to change in the catalogue once the clock reaches this instant. */
export function startsDue(catalogue: Catalogue, nowMs: number): Change[] {
  const upcoming = catalogue.get(filterKey({ status: 'upcoming', spotlight: undefined })) ?? EMPTY_LISTING
  return upcoming.segments
    .filter(segment => segment.nextStartMs <= nowMs)
    .flatMap(segment => segment.entries.filter(entry => entry.startMs <= nowMs))
    .map(before => ({ before, after: startEntry(before) }))
}

/** The listings that an entry stands in. */
function filterKeysOf({ status, spotlight }: Entry): readonly FilterKey[] {
  return (spotlight ? KEYS_IN_SPOTLIGHT : KEYS_OUTSIDE)[status]
}

const keysOf = (spotlight: boolean) => {
  const keys = (status: LaunchStatus) => [
    filterKey({ status: undefined, spotlight: undefined }),
    filterKey({ status, spotlight: undefined }),
    filterKey({ status: undefined, spotlight }),
    filterKey({ status, spotlight }),
  ]
  return { upcoming: keys('upcoming'), live: keys('live'), graduated: keys('graduated') }
}
const KEYS_IN_SPOTLIGHT = keysOf(true)
const KEYS_OUTSIDE = keysOf(false)
