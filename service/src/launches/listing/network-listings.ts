import type { Address } from '@slipway/schema/address'
import type { BaseToken, LaunchData } from '@slipway/schema/launch'
import type { Snapshot } from '../../endpoint/endpoint.ts'
import { eachInTurns } from '../../lib/each-in-turns.ts'
import { pause } from '../../lib/pause.ts'
import { createSingleFlight } from '../../lib/single-flight.ts'
import type { LaunchRecord } from '../../store/read-launches.ts'
import { encodeListings, finishSnapshot } from './encoder.ts'
import { createLaunchIndex } from './launch-index.ts'
import {
  compareLaunches,
  createListedLaunch,
  isSameLaunch,
  type ListedLaunch,
  launchAt,
} from './listed-launch.ts'
import { EMPTY_LISTING, type Listing, moveJson, type Segment, withoutEncoding } from './listing.ts'
import {
  type Change,
  EMPTY_LISTING_SET,
  type FilterKey,
  filterKey,
  findNextStartMs,
  findStarts,
  type ListingFilter,
  type ListingSet,
  updateListings,
} from './listing-set.ts'

/** One network's launches in memory. Reading never waits; there must be one writer at a time. */
export interface NetworkListings {
  /** The listing, if it is encoded. */
  listing(filter: ListingFilter): Snapshot | undefined
  /** Encodes the listing if it isn't, and keeps it encoded for a while. */
  prepare(filter: ListingFilter): Promise<Snapshot>
  launch(address: Address): ListedLaunch | undefined
  /** Newest activity first. */
  launchesOfToken(mint: Address): ListedLaunch[]
  /** The tokens that this agent launched, each once, the last registered first. */
  tokensOfAgent(agent: Address): BaseToken[]
  addresses(): Iterable<Address>
  /** The record as a listed launch: the known object if nothing has changed. */
  toListed(record: LaunchRecord): ListedLaunch
  /** Encodes what these launches, removals and the next starts change, except segments that are given, and shows it. */
  update(launches: Iterable<ListedLaunch>, removed: Iterable<Address>, encoded?: Segment[]): Promise<void>
  /** The segments of the listing of all launches. */
  segments(): readonly Segment[]
  /** Adds Brotli to the listings and makes long ones faster to send, the smallest first, until there is other work. */
  compress(isIdle: () => boolean): Promise<void>
  /** When `update` must be called even if nothing changed: a start is near or has passed. */
  readonly wakeAtMs: number
  readonly size: number
}

/** The listings after a start are encoded this long before it, so that they change at that very instant. */
const LOOK_AHEAD_MS = 2_000
const LOOK_AGAIN_MS = 500
/** Starts are whole seconds on the chain, so more than this within the look-ahead is abuse. */
const STARTS_AHEAD_MAX = 64
/** Most filters are never requested, so a listing without requests for this long is dropped. */
const UNUSED_MS = 10 * 60_000
const ALL = filterKey({ status: undefined, spotlight: undefined })
const ALWAYS_USED = new Set([ALL, filterKey({ status: undefined, spotlight: true })])

/** The listings as they will be once the launches of one instant have started. */
interface PreparedStart {
  atMs: number
  listings: ListingSet
  changes: Change[]
}

export function createNetworkListings({
  launchPage,
  clock,
  onAgentChanged,
  encode = encodeListings,
}: {
  launchPage: string
  clock: () => number
  /** A launch of this agent was added, removed or changed. */
  onAgentChanged?: (agent: Address) => void
  encode?: typeof encodeListings
}): NetworkListings {
  const index = createLaunchIndex()
  let listings: ListingSet = EMPTY_LISTING_SET
  /** In order of time; each builds on the one before it. */
  let preparedStarts: readonly PreparedStart[] = []
  /** When each of the other listings was last asked for. */
  const usedAtMs = new Map<FilterKey, number>()
  const encodeOnce = createSingleFlight<Listing, void>()

  function* inUse(set: ListingSet) {
    for (const [key, listing] of set) if (ALWAYS_USED.has(key) || usedAtMs.has(key)) yield listing
  }

  /** Gives the memory of listings that are no longer asked for back. Prepared starts share it, so it waits for them. */
  function forgetUnused() {
    const isUnused = (key: FilterKey) =>
      clock() - (usedAtMs.get(key) ?? Number.POSITIVE_INFINITY) >= UNUSED_MS
    const unused = new Set([...usedAtMs.keys()].filter(isUnused))
    if (unused.size === 0 || preparedStarts.length > 0) return
    for (const key of unused) usedAtMs.delete(key)
    const kept = new Set([...inUse(listings)].flatMap(({ segments }) => segments))
    listings = new Map(
      [...listings].map(([key, listing]) => [
        key,
        unused.has(key) ? withoutEncoding(listing, segment => !kept.has(segment)) : listing,
      ]),
    )
  }

  function current(): ListingSet {
    if (preparedStarts.length === 0) return listings
    const nowMs = clock()
    return preparedStarts.findLast(({ atMs }) => atMs <= nowMs)?.listings ?? listings
  }

  const segmentsOfAll = (set: ListingSet) => (set.get(ALL) ?? EMPTY_LISTING).segments

  function show(next: ListingSet) {
    listings = next
    for (const segment of segmentsOfAll(next)) moveJson(segment)
  }

  function applyPassedStarts() {
    const nowMs = clock()
    for (const start of preparedStarts) {
      if (start.atMs > nowMs) break
      show(start.listings)
      for (const change of start.changes) index.apply(change)
      preparedStarts = preparedStarts.slice(1)
    }
  }

  async function findChanges(
    launches: Iterable<ListedLaunch>,
    removed: Iterable<Address>,
  ): Promise<Change[]> {
    const changes: Change[] = []
    await eachInTurns(launches, after => {
      const before = index.find(after.genesisAddress)
      if (before !== after) changes.push({ before, after })
    })
    await eachInTurns(removed, address => {
      const before = index.find(address)
      if (before) changes.push({ before, after: undefined })
    })
    return changes
  }

  /** The starts that are prepared already, and all others within the look-ahead. */
  async function prepareStarts(from: ListingSet, known: readonly PreparedStart[]): Promise<PreparedStart[]> {
    const prepared = [...known]
    for (;;) {
      const latest = prepared.at(-1)?.listings ?? from
      const atMs = findNextStartMs(latest)
      if (atMs - clock() > LOOK_AHEAD_MS || prepared.length === STARTS_AHEAD_MAX) return prepared
      const changes = findStarts(latest, atMs)
      const next = await updateListings(latest, changes)
      await encode(inUse(next))
      prepared.push({ atMs, listings: next, changes })
    }
  }

  /** Statuses must change on time even while a long update is being encoded. */
  async function prepareStartsDuring(work: Promise<void>) {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    for (;;) {
      await Promise.race([done, pause(LOOK_AGAIN_MS)])
      if (isDone) return done
      preparedStarts = await prepareStarts(listings, preparedStarts)
    }
  }

  return {
    listing(filter) {
      const key = filterKey(filter)
      if (usedAtMs.has(key)) usedAtMs.set(key, clock())
      return current().get(key)?.snapshot
    },
    async prepare(filter) {
      const key = filterKey(filter)
      usedAtMs.set(key, clock())
      const listing = current().get(key) ?? EMPTY_LISTING
      await encodeOnce(listing, () => encode([listing]))
      return listing.snapshot as Snapshot
    },
    launch(address) {
      const launch = index.find(address)
      return launch && launchAt(launch, clock())
    },
    launchesOfToken: mint =>
      index
        .findByToken(mint)
        .map(launch => launchAt(launch, clock()))
        .sort(compareLaunches),
    tokensOfAgent(agent) {
      const mints = new Set<Address>()
      return index
        .findByAgent(agent)
        .sort((a, b) => b.registeredMs - a.registeredMs || compareLaunches(a, b))
        .filter(({ mint, createdToken }) => createdToken && !mints.has(mint) && mints.add(mint))
        .map(({ json }) => (JSON.parse(json) as LaunchData).baseToken)
    },
    addresses: () => index.addresses(),
    toListed(record) {
      const known = index.find(record.genesisAddress)
      const launch = createListedLaunch(record, launchPage, clock())
      if (!known || !isSameLaunch(known, launch)) return launch
      known.version = launch.version
      return known
    },
    async update(launches, removed, encoded) {
      applyPassedStarts()
      forgetUnused()
      const changes = await findChanges(launches, removed)
      const updated = await updateListings(listings, changes, encoded)
      await prepareStartsDuring(encode(inUse(updated)))
      const prepared = await prepareStarts(updated, changes.length === 0 ? preparedStarts : [])
      await eachInTurns(changes, index.apply)
      // What "show" would do for all of them at once.
      await eachInTurns(segmentsOfAll(updated), moveJson)
      show(updated)
      preparedStarts = prepared
      await eachInTurns(changes, ({ before, after }) => {
        if (before?.agent) onAgentChanged?.(before.agent)
        if (after?.agent) onAgentChanged?.(after.agent)
      })
      applyPassedStarts()
    },
    segments: () => segmentsOfAll(listings),
    async compress(isIdle) {
      const snapshots = new Set([...listings.values()].flatMap(({ snapshot }) => snapshot ?? []))
      const bySize = [...snapshots].sort((a, b) => a.identity.length - b.identity.length)
      for (const snapshot of bySize) if (!snapshot.br && isIdle()) await finishSnapshot(snapshot, isIdle)
    },
    get wakeAtMs() {
      return preparedStarts[0]?.atMs ?? findNextStartMs(listings) - LOOK_AHEAD_MS
    },
    get size() {
      return index.size
    },
  }
}
