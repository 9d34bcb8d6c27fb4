import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Snapshot } from '../../endpoint/representation.ts'
import type { Catalogue } from './catalogue.ts'
import type { Entry } from './entry.ts'
import { layAsOne } from './lay-as-one.ts'
import type { Listing } from './listing.ts'
import { printSegment, type Segment } from './segment.ts'
import { addBrotli, createSnapshot } from './snapshot.ts'

/** Turns listings into bytes. */
export interface Press {
  /** Prints what the catalogue has that was never printed; afterwards each of its listings has its snapshot. */
  print(catalogue: Catalogue): Promise<void>
  /** Lays listings that are in many pieces together, while all is quiet. Whether there were any. */
  bind(catalogue: Catalogue, isQuiet: () => boolean): Promise<boolean>
  /** Adds the costlier encoding, the smallest listing first, while all is quiet. */
  compress(catalogue: Catalogue, isQuiet: () => boolean): Promise<void>
  snapshotOf(listing: Listing): Snapshot
}

/** Compression runs on the thread pool; more at a time would only crowd out the requests. */
const PRINTS_AT_ONCE = 2
/** A large answer in one piece is sent faster than in fifty; in seven it was sent no slower. */
const PIECES_MAX = 8

export function createPress(): Press {
  // A snapshot lives as long as its listing.
  const snapshots = new WeakMap<Listing, Snapshot>()

  const printed = (catalogue: Catalogue) =>
    [...new Set(catalogue.values())].flatMap(listing => {
      const snapshot = snapshots.get(listing)
      return snapshot ? [[listing, snapshot] as const] : []
    })

  return {
    async print(catalogue) {
      const listings = [...catalogue.values()].filter(listing => !snapshots.has(listing))
      await printAll(listings.flatMap(({ segments }) => segments.filter(segment => !segment.print)))
      for (const listing of listings) {
        snapshots.set(listing, await createSnapshot(listing))
        await nextTurn()
      }
    },
    async bind(catalogue, isQuiet) {
      let isAny = false
      for (const [listing, snapshot] of printed(catalogue)) {
        if (snapshot.identity.parts.length <= PIECES_MAX || !isQuiet()) continue
        if (!(await layAsOne(listing.segments, isQuiet))) continue
        snapshots.set(listing, { ...snapshot, ...(await createSnapshot(listing)) })
        isAny = true
      }
      return isAny
    },
    async compress(catalogue, isQuiet) {
      const bare = printed(catalogue)
        .map(([, snapshot]) => snapshot)
        .filter(snapshot => !snapshot.br)
        .sort((a, b) => a.identity.length - b.identity.length)
      for (const snapshot of bare) if (isQuiet()) await addBrotli(snapshot, isQuiet)
    },
    snapshotOf(listing) {
      const snapshot = snapshots.get(listing)
      if (!snapshot) throw new Error('a listing is asked for before it was printed')
      return snapshot
    },
  }
}

/** Listings have many segments in common: those that hold the same launches are printed once. */
async function printAll(segments: Segment[]): Promise<void> {
  const queue = groupSame(segments).values()
  const printer = async () => {
    for (const [segment, ...same] of queue) {
      const print = await printSegment(segment)
      for (const each of [segment, ...same]) each.print = print
    }
  }
  await Promise.all(Array.from({ length: PRINTS_AT_ONCE }, printer))
}

type Group = [Segment, ...Segment[]]

function groupSame(segments: readonly Segment[]): Group[] {
  const groups = new Map<Entry | undefined, Group[]>()
  for (const segment of segments) {
    const [first] = segment.entries
    const known = groups.get(first) ?? []
    groups.set(first, known)
    const same = known.find(([one]) => isSameRun(one.entries, segment.entries))
    if (same) same.push(segment)
    else known.push([segment])
  }
  return [...groups.values()].flat()
}

const isSameRun = (a: readonly Entry[], b: readonly Entry[]) =>
  a.length === b.length && a.every((entry, at) => entry === b[at])
