import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LaunchStatus } from '@slipway/schema/launch'
import { eachInTurns } from '../../lib/each-in-turns.ts'
import { compareLaunches, type ListedLaunch, startLaunch } from './listed-launch.ts'
import {
  createSegmentPool,
  EMPTY_LISTING,
  type Listing,
  merge,
  type Segment,
  updateListing,
} from './listing.ts'

export interface ListingFilter {
  status: LaunchStatus | undefined
  spotlight: boolean | undefined
}

/** One network's listings, one for each filter. */
export type ListingSet = ReadonlyMap<FilterKey, Listing>

/** A launch that was added (no `before`), removed (no `after`) or replaced. */
export interface Change {
  before: ListedLaunch | undefined
  after: ListedLaunch | undefined
}

export type FilterKey = `${LaunchStatus | 'any'}/${boolean | 'any'}`

export const filterKey = ({ status, spotlight }: ListingFilter): FilterKey =>
  `${status ?? 'any'}/${spotlight ?? 'any'}`

const STATUSES = [undefined, 'upcoming', 'live', 'graduated'] as const
const SPOTLIGHTS = [undefined, true, false] as const
const FILTER_KEYS = STATUSES.flatMap(status => SPOTLIGHTS.map(spotlight => filterKey({ status, spotlight })))

export const EMPTY_LISTING_SET: ListingSet = new Map(FILTER_KEYS.map(key => [key, EMPTY_LISTING]))

/** Sorting this many takes a few milliseconds. */
const SORTED_AT_ONCE = 5_000

/**
 * The listings after these changes. A listing that no change touches stays the same object. An encoded segment is used wherever a
 * listing has exactly its launches.
 */
export async function updateListings(
  listings: ListingSet,
  changes: readonly Change[],
  encoded: readonly Segment[] = [],
): Promise<ListingSet> {
  const edits = new Map<FilterKey, { removed: ListedLaunch[]; added: ListedLaunch[] }>()
  const editOf = (key: FilterKey) => {
    const edit = edits.get(key) ?? { removed: [], added: [] }
    edits.set(key, edit)
    return edit
  }
  const arrived: ListedLaunch[] = []
  await eachInTurns(changes, ({ before, after }) => {
    if (before) for (const key of filterKeysOf(before)) editOf(key).removed.push(before)
    if (after) arrived.push(after)
  })
  // Sorted once for all listings.
  await eachInTurns(await sortInTurns(arrived), launch => {
    for (const key of filterKeysOf(launch)) editOf(key).added.push(launch)
  })
  const updated = new Map(listings)
  const pool = createSegmentPool()
  await eachInTurns(encoded, pool.add)
  for (const [key, { removed, added }] of edits) {
    updated.set(key, await updateListing(listings.get(key) ?? EMPTY_LISTING, removed, added, pool))
  }
  return updated
}

/** Requests are answered while many launches are being sorted. */
async function sortInTurns(launches: readonly ListedLaunch[]): Promise<readonly ListedLaunch[]> {
  let runs: (readonly ListedLaunch[])[] = []
  for (let start = 0; start < launches.length; start += SORTED_AT_ONCE) {
    if (start > 0) await nextTurn()
    runs.push(launches.slice(start, start + SORTED_AT_ONCE).sort(compareLaunches))
  }
  while (runs.length > 1) {
    const merged: (readonly ListedLaunch[])[] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? []))
    runs = merged
  }
  return runs[0] ?? []
}

/** When the next launch starts: until then, every status in the listings is right. */
export function findNextStartMs(listings: ListingSet): number {
  return upcomingOf(listings).segments.reduce(
    (min, segment) => Math.min(min, segment.nextStartMs),
    Number.POSITIVE_INFINITY,
  )
}

/** The launches that start at or before this instant, as changes from upcoming to live. */
export function findStarts(listings: ListingSet, nowMs: number): Change[] {
  return upcomingOf(listings)
    .segments.filter(segment => segment.nextStartMs <= nowMs)
    .flatMap(segment => segment.launches.filter(launch => launch.startMs <= nowMs))
    .map(before => ({ before, after: startLaunch(before) }))
}

const upcomingOf = (listings: ListingSet): Listing =>
  listings.get(filterKey({ status: 'upcoming', spotlight: undefined })) ?? EMPTY_LISTING

/** The listings that a launch belongs to. */
function filterKeysOf({ status, spotlight }: ListedLaunch): readonly FilterKey[] {
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
