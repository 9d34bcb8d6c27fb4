import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import { type BaseToken, LAUNCH_STATUSES, type LaunchStatus } from '@slipway/schema/launch'
import type { Snapshot } from '../../endpoint/endpoint.ts'
import { eachInTurns } from '../../lib/each-in-turns.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import type { LaunchRecord } from '../../store/read-launches.ts'
import {
  compareLaunches,
  createListedLaunch,
  isSameLaunch,
  type ListedLaunch,
  launchAt,
  readLaunchData,
  startLaunch,
} from './listed-launch.ts'
import {
  createSegmentPool,
  EMPTY_LISTING,
  encodeListings,
  finishSnapshot,
  type Listing,
  merge,
  moveJson,
  type Segment,
  updateListing,
} from './listing.ts'

export interface ListingFilter {
  status: LaunchStatus | undefined
  spotlight: boolean | undefined
}

/** One network's launches in memory. Reading never waits; there must be one writer at a time. */
export interface NetworkListings {
  /** The listing, if it is encoded. */
  listing(filter: ListingFilter): Snapshot | undefined
  /** Encodes what isn't encoded of the listing. */
  prepare(filter: ListingFilter): Promise<Snapshot>
  launch(address: Address): ListedLaunch | undefined
  /** Newest activity first. */
  launchesOfToken(mint: Address): ListedLaunch[]
  /** The tokens that this agent launched, each once, the last registered first. */
  tokensOfAgent(agent: Address): BaseToken[]
  addresses(): Iterable<Address>
  /** The record as a listed launch: the known object if nothing has changed. */
  toListed(record: LaunchRecord): ListedLaunch
  /**
   * Shows these launches and removals, and the launches that have started. Segments that are given, encoded, are used wherever a
   * listing has exactly their launches.
   */
  update(launches: Iterable<ListedLaunch>, removed: Iterable<Address>, encoded?: Segment[]): Promise<void>
  /** The segments of the listing of all launches. */
  segments(): readonly Segment[]
  /** Adds Brotli to the listings and makes long ones faster to send, the smallest first, until there is other work. */
  compress(isIdle: () => boolean): Promise<void>
  /** The next start, after which `update` must be called even if nothing else has changed. */
  readonly nextStartMs: number
  readonly size: number
}

/** A launch that was added (no `before`), removed (no `after`) or replaced. */
interface Change {
  before: ListedLaunch | undefined
  after: ListedLaunch | undefined
}

type FilterKey = `${LaunchStatus | 'any'}/${boolean | 'any'}`
type ListingSet = ReadonlyMap<FilterKey, Listing>

const filterKey = ({ status, spotlight }: ListingFilter): FilterKey =>
  `${status ?? 'any'}/${spotlight ?? 'any'}`
const ALL = filterKey({ status: undefined, spotlight: undefined })
const UPCOMING = filterKey({ status: 'upcoming', spotlight: undefined })
/** Encoded with every change. Of the others, what has changed is encoded when it is requested. */
const ALWAYS_ENCODED = [ALL, filterKey({ status: undefined, spotlight: true })]
const FILTER_KEYS = [undefined, ...LAUNCH_STATUSES].flatMap(status =>
  [undefined, true, false].map(spotlight => filterKey({ status, spotlight })),
)
/** Sorting this many takes a few milliseconds. */
const SORTED_AT_ONCE = 5_000

export function createNetworkListings({
  launchPage,
  clock,
  onAgentChanged,
}: {
  launchPage: string
  clock: () => number
  /** A launch of this agent was added, removed or changed. */
  onAgentChanged?: (agent: Address) => void
}): NetworkListings {
  const launches = new Map<Address, ListedLaunch>()
  const byMint = createMultimap()
  const byAgent = createMultimap()
  let listings: ListingSet = new Map(FILTER_KEYS.map(key => [key, EMPTY_LISTING]))
  const encodeOnce = createSingleFlight<Listing, void>()
  const listingOf = (key: FilterKey, set = listings) => set.get(key) as Listing

  function apply({ before, after }: Change) {
    if (before) {
      launches.delete(before.genesisAddress)
      byMint.remove(before.mint, before.genesisAddress)
      if (before.agent) byAgent.remove(before.agent, before.genesisAddress)
    }
    if (after) {
      launches.set(after.genesisAddress, after)
      byMint.add(after.mint, after.genesisAddress)
      if (after.agent) byAgent.add(after.agent, after.genesisAddress)
    }
  }

  async function findChanges(
    arrived: Iterable<ListedLaunch>,
    removed: Iterable<Address>,
  ): Promise<readonly Change[]> {
    const changes = new Map<Address, Change>()
    for (const before of findStarted(listingOf(UPCOMING), clock()))
      changes.set(before.genesisAddress, { before, after: startLaunch(before) })
    await eachInTurns(arrived, after => {
      const before = launches.get(after.genesisAddress)
      if (before !== after) changes.set(after.genesisAddress, { before, after })
    })
    await eachInTurns(removed, address => {
      const before = launches.get(address)
      if (before) changes.set(address, { before, after: undefined })
    })
    return [...changes.values()]
  }

  const launchesAt = (addresses: Iterable<Address>) =>
    [...addresses].map(address => launches.get(address) as ListedLaunch)

  return {
    listing: filter => listingOf(filterKey(filter)).snapshot,
    async prepare(filter) {
      const listing = listingOf(filterKey(filter))
      await encodeOnce(listing, () => encodeListings([listing]))
      return listing.snapshot as Snapshot
    },
    launch(address) {
      const launch = launches.get(address)
      return launch && launchAt(launch, clock())
    },
    launchesOfToken: mint =>
      launchesAt(byMint.get(mint))
        .map(launch => launchAt(launch, clock()))
        .sort(compareLaunches),
    tokensOfAgent(agent) {
      const mints = new Set<Address>()
      return launchesAt(byAgent.get(agent))
        .sort((a, b) => b.registeredMs - a.registeredMs || compareLaunches(a, b))
        .filter(({ mint, createdToken }) => createdToken && !mints.has(mint) && mints.add(mint))
        .map(launch => readLaunchData(launch).baseToken)
    },
    addresses: () => launches.keys(),
    toListed(record) {
      const known = launches.get(record.genesisAddress)
      const launch = createListedLaunch(record, launchPage, clock())
      if (!known || !isSameLaunch(known, launch)) return launch
      known.version = launch.version
      return known
    },
    async update(arrived, removed, encoded = []) {
      const changes = await findChanges(arrived, removed)
      const updated = await updateListings(listings, changes, encoded)
      await encodeListings(ALWAYS_ENCODED.map(key => listingOf(key, updated)))
      await eachInTurns(changes, apply)
      await eachInTurns(listingOf(ALL, updated).segments, moveJson)
      listings = updated
      await eachInTurns(changes, ({ before, after }) => {
        if (before?.agent) onAgentChanged?.(before.agent)
        if (after?.agent) onAgentChanged?.(after.agent)
      })
    },
    segments: () => listingOf(ALL).segments,
    async compress(isIdle) {
      const snapshots = new Set([...listings.values()].flatMap(({ snapshot }) => snapshot ?? []))
      const bySize = [...snapshots].sort((a, b) => a.identity.length - b.identity.length)
      for (const snapshot of bySize) if (!snapshot.br && isIdle()) await finishSnapshot(snapshot, isIdle)
    },
    get nextStartMs() {
      const { segments } = listingOf(UPCOMING)
      return segments.reduce((min, segment) => Math.min(min, segment.nextStartMs), Number.POSITIVE_INFINITY)
    },
    get size() {
      return launches.size
    },
  }
}

/** The launches that are still listed as upcoming at this instant, but have started. */
const findStarted = ({ segments }: Listing, nowMs: number): ListedLaunch[] =>
  segments
    .filter(segment => segment.nextStartMs <= nowMs)
    .flatMap(segment => segment.launches.filter(launch => launch.startMs <= nowMs))

/** The listings after these changes. A listing that no change touches stays the same object. */
async function updateListings(
  listings: ListingSet,
  changes: readonly Change[],
  encoded: readonly Segment[],
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
  for (const [key, { removed, added }] of edits)
    updated.set(key, await updateListing(listings.get(key) as Listing, removed, added, pool))
  return updated
}

/** The listings that a launch belongs to. */
const filterKeysOf = ({ status, spotlight }: ListingFilter): readonly FilterKey[] => [
  ALL,
  filterKey({ status, spotlight: undefined }),
  filterKey({ status: undefined, spotlight }),
  filterKey({ status, spotlight }),
]

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

/** Most keys have one value, which needs no set of its own. */
function createMultimap() {
  const values = new Map<Address, Address | Set<Address>>()
  return {
    get(key: Address): Iterable<Address> {
      const known = values.get(key)
      if (known === undefined) return []
      return typeof known === 'string' ? [known] : known
    },
    add(key: Address, value: Address) {
      const known = values.get(key)
      if (known === undefined) values.set(key, value)
      else if (typeof known === 'string') values.set(key, new Set([known, value]))
      else known.add(value)
    },
    remove(key: Address, value: Address) {
      const known = values.get(key)
      if (typeof known === 'object') known.delete(value)
      if (known === value || (typeof known === 'object' && known.size === 0)) values.delete(key)
    },
  }
}
