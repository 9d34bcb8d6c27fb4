import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Snapshot } from '../../endpoint/representation.ts'
import type { Catalogue } from './catalogue.ts'
import type { Listing } from './listing.ts'
import { printSegment, type Segment } from './segment.ts'
import { addBrotli, createSnapshot } from './snapshot.ts'

/** Turns listings into bytes. */
export interface Press {
  /** Prints what the catalogue has that was never printed; afterwards each of its listings has its snapshot. */
  print(catalogue: Catalogue): Promise<void>
  /** Adds the costlier encoding, smallest listing first, for as long as nothing else is to be done. */
  polish(catalogue: Catalogue, isQuiet: () => boolean): Promise<void>
  snapshotOf(listing: Listing): Snapshot
}

/** Compression runs on the thread pool; more at a time would only crowd out the requests. */
const PRINTS_AT_ONCE = 2

export function createPress(): Press {
  // A snapshot lives as long as its listing.
  const snapshots = new WeakMap<Listing, Snapshot>()

  return {
    async print(catalogue) {
      const listings = [...catalogue.values()].filter(listing => !snapshots.has(listing))
      await printAll(listings.flatMap(({ segments }) => segments.filter(segment => !segment.print)))
      for (const listing of listings) {
        snapshots.set(listing, createSnapshot(listing))
        await nextTurn()
      }
    },
    async polish(catalogue, isQuiet) {
      const bare = [...new Set(catalogue.values())]
        .flatMap(listing => snapshots.get(listing) ?? [])
        .filter(snapshot => !snapshot.br)
        .sort((a, b) => a.identity.length - b.identity.length)
      for (const snapshot of bare) {
        if (!isQuiet()) return
        await addBrotli(snapshot)
      }
    },
    snapshotOf(listing) {
      const snapshot = snapshots.get(listing)
      if (!snapshot) throw new Error('a listing is asked for before it was printed')
      return snapshot
    },
  }
}

async function printAll(segments: Segment[]): Promise<void> {
  const queue = segments.values()
  const printer = async () => {
    for (const segment of queue) await printSegment(segment)
  }
  await Promise.all(Array.from({ length: PRINTS_AT_ONCE }, printer))
}
