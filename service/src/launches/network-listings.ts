import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { BaseToken, LaunchData } from '@slipway/schema/launch'
import type { Snapshot } from '../endpoint/representation.ts'
import type { LaunchRecord } from '../store/launches.ts'
import { createLaunchBook } from './launch-book.ts'
import {
  type Catalogue,
  type Change,
  EMPTY_CATALOGUE,
  filterKey,
  type ListingFilter,
  nextStartMs,
  startsDue,
  updateCatalogue,
} from './listing/catalogue.ts'
import { compareEntries, createEntry, type Entry, entryAt, isSameEntry } from './listing/entry.ts'
import { EMPTY_LISTING } from './listing/listing.ts'
import type { Press } from './listing/press.ts'

/** One network's launches in memory. Reading never waits; changes are made by one writer at a time. */
export interface NetworkListings {
  /** Whoever asks for a listing asks again and again: the filter is read once. */
  listingFinder(filter: ListingFilter): () => Snapshot
  launch(address: Address): Entry | undefined
  /** Newest activity first. */
  launchesOfToken(mint: Address): Entry[]
  /** The tokens that this agent launched, the last registered first, each once. */
  tokensOfAgent(agent: Address): BaseToken[]
  addresses(): IterableIterator<Address>
  /** The record as an entry: the one already known, if nothing about it has changed. */
  entryOf(record: LaunchRecord): Entry
  /** Prints what these entries and removals change and what the next start will change, then shows it. */
  update(entries: readonly Entry[], removed: Iterable<Address>): Promise<void>
  /** Makes what is shown faster to send, for as long as nothing else is to be done. */
  polish(isQuiet: () => boolean): Promise<void>
  /** When `update` wants to be called although nothing changed: a start is near or has passed. */
  readonly wakeAtMs: number
  readonly size: number
}

/** The listings after a start are printed this long before it, so that they turn at the very instant. */
const LEAD_MS = 2_000
const LOOK_AGAIN_MS = 500
/** Starts are whole seconds on the chain: more than these at a time is somebody's mischief. */
const AHEAD_MAX = 64
/** A bound listing shares no memory with those before it, which slow readers may still hold. */
const BOUND_EVERY_MS = 60_000

interface Ahead {
  atMs: number
  catalogue: Catalogue
  changes: Change[]
}

export function createNetworkListings({
  launchPage,
  press,
  clock,
  onAgentChanged,
}: {
  launchPage: string
  press: Press
  clock: () => number
  /** The launches of this agent have changed: some came, went, or show something else. */
  onAgentChanged?: (agent: Address) => void
}): NetworkListings {
  const book = createLaunchBook()
  let base: Catalogue = EMPTY_CATALOGUE
  /** The catalogues from the next starts on, in order. */
  let ahead: readonly Ahead[] = []
  let bindAfterMs = 0

  function current(): Catalogue {
    if (ahead.length === 0) return base
    const nowMs = clock()
    return ahead.findLast(({ atMs }) => atMs <= nowMs)?.catalogue ?? base
  }

  /** Makes the starts that have passed part of the base. */
  function settle() {
    const nowMs = clock()
    for (const { atMs, catalogue, changes } of ahead) {
      if (atMs > nowMs) break
      base = catalogue
      book.apply(changes)
      ahead = ahead.slice(1)
    }
  }

  function changesTo(entries: readonly Entry[], removed: Iterable<Address>): Change[] {
    const changes: Change[] = []
    for (const after of entries) {
      const before = book.get(after.genesisAddress)
      if (before !== after) changes.push({ before, after })
    }
    for (const address of removed) {
      const before = book.get(address)
      if (before) changes.push({ before, after: undefined })
    }
    return changes
  }

  /** What is known of the starts ahead, and all others that are near. */
  async function lookAhead(from: Catalogue, known: readonly Ahead[]): Promise<Ahead[]> {
    const prepared = [...known]
    for (;;) {
      const latest = prepared.at(-1)?.catalogue ?? from
      const atMs = nextStartMs(latest)
      if (atMs - clock() > LEAD_MS || prepared.length === AHEAD_MAX) return prepared
      const changes = startsDue(latest, atMs)
      const catalogue = await updateCatalogue(latest, changes)
      await press.print(catalogue)
      prepared.push({ atMs, catalogue, changes })
    }
  }

  /** While a long work runs, what is shown goes on turning at the starts. */
  async function keepingTime(work: Promise<void>) {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    for (;;) {
      await Promise.race([done, sleep(LOOK_AGAIN_MS, undefined, { ref: false })])
      if (isDone) return done
      ahead = await lookAhead(base, ahead)
    }
  }

  return {
    listingFinder(filter) {
      const key = filterKey(filter)
      return () => press.snapshotOf(current().get(key) ?? EMPTY_LISTING)
    },
    launch(address) {
      const entry = book.get(address)
      return entry && entryAt(entry, clock())
    },
    launchesOfToken: mint =>
      book
        .ofToken(mint)
        .map(entry => entryAt(entry, clock()))
        .sort(compareEntries),
    tokensOfAgent(agent) {
      const launches = book
        .ofAgent(agent)
        .sort((a, b) => b.registeredMs - a.registeredMs || compareEntries(a, b))
      const tokens = launches.map(({ json }) => (JSON.parse(json) as LaunchData).baseToken)
      const mints = new Set<Address>()
      return tokens.filter(({ address }) => !mints.has(address) && mints.add(address))
    },
    addresses: () => book.addresses(),
    entryOf(record) {
      const known = book.get(record.genesisAddress)
      const entry = createEntry(record, launchPage, clock())
      return known && isSameEntry(known, entry) ? known : entry
    },
    async update(entries, removed) {
      settle()
      const changes = changesTo(entries, removed)
      const changed = await updateCatalogue(base, changes)
      await keepingTime(press.print(changed))
      const prepared = await lookAhead(changed, changes.length === 0 ? ahead : [])
      base = changed
      ahead = prepared
      book.apply(changes)
      for (const { before, after } of changes) {
        if (before?.agent) onAgentChanged?.(before.agent)
        if (after?.agent) onAgentChanged?.(after.agent)
      }
      settle()
    },
    async polish(isQuiet) {
      if (performance.now() >= bindAfterMs && (await press.bind(base, isQuiet)))
        bindAfterMs = performance.now() + BOUND_EVERY_MS
      await press.compress(base, isQuiet)
    },
    get wakeAtMs() {
      return ahead[0]?.atMs ?? nextStartMs(base) - LEAD_MS
    },
    get size() {
      return book.size
    },
  }
}
