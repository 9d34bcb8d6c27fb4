import { compareEntries, type Entry } from './entry.ts'
import { createSegment, type Segment } from './segment.ts'

/** The launches that match one filter, in order, cut into segments. */
export interface Listing {
  readonly segments: readonly Segment[]
}

export const EMPTY_LISTING: Listing = { segments: [] }

/**
 * The listing without `removed` and with `added`, which is in order. Segments that hold neither are kept as they are.
 * Every segment but the first begins with an entry that opens one, so the cuts depend on the launches
 * alone and not on the order in which they arrived.
 */
export function updateListing(listing: Listing, removed: readonly Entry[], added: readonly Entry[]): Listing {
  if (removed.length === 0 && added.length === 0) return listing
  const gone = new Set(removed)
  const touched = touchedSegments(listing, removed, added, gone)

  const segments: Segment[] = []
  let arrival = 0
  for (let at = 0; at < listing.segments.length || at === 0; ) {
    if (listing.segments.length > 0 && !touched.has(at)) {
      segments.push(listing.segments[at] as Segment)
      at += 1
      continue
    }
    // A run of neighbours is taken apart and cut again as one.
    const kept: Entry[] = []
    const replaced = new Map<Entry, Segment>()
    do {
      const segment = listing.segments[at]
      for (const entry of segment?.entries ?? []) if (!gone.has(entry)) kept.push(entry)
      if (segment?.entries[0]) replaced.set(segment.entries[0], segment)
      at += 1
    } while (touched.has(at))
    const next = listing.segments[at]?.entries[0]
    const from = arrival
    while (arrival < added.length && (!next || compareEntries(added[arrival] as Entry, next) < 0))
      arrival += 1
    segments.push(...cut(merge(kept, added.slice(from, arrival)), replaced))
  }
  return { segments }
}

function touchedSegments(
  { segments }: Listing,
  removed: readonly Entry[],
  added: readonly Entry[],
  gone: ReadonlySet<Entry>,
): Set<number> {
  const touched = new Set<number>()
  for (const entry of removed) touched.add(segmentOf(segments, entry))
  for (const entry of added) touched.add(segmentOf(segments, entry))
  // What is left of a segment that lost its opening entry belongs to the one before it.
  for (let at = segments.length - 1; at > 0; at -= 1) {
    const first = segments[at]?.entries[0]
    if (touched.has(at) && first && gone.has(first)) touched.add(at - 1)
  }
  return touched
}

/** The last segment that begins at or before the entry, or the first. */
function segmentOf(segments: readonly Segment[], entry: Entry): number {
  let low = 0
  let high = segments.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const first = segments[middle]?.entries[0] as Entry
    if (compareEntries(first, entry) <= 0) low = middle
    else high = middle - 1
  }
  return low
}

function merge(left: readonly Entry[], right: readonly Entry[]): Entry[] {
  const merged: Entry[] = []
  let at = 0
  for (const entry of left) {
    while (at < right.length && compareEntries(right[at] as Entry, entry) < 0)
      merged.push(right[at++] as Entry)
    merged.push(entry)
  }
  while (at < right.length) merged.push(right[at++] as Entry)
  return merged
}

function cut(entries: readonly Entry[], replaced: ReadonlyMap<Entry, Segment>): Segment[] {
  const segments: Segment[] = []
  for (let start = 0; start < entries.length; ) {
    let end = start + 1
    while (end < entries.length && !entries[end]?.opensSegment) end += 1
    const run = entries.slice(start, end)
    const before = replaced.get(run[0] as Entry)
    const unchanged =
      before?.entries.length === run.length && before.entries.every((entry, at) => entry === run[at])
    segments.push(before && unchanged ? before : createSegment(run))
    start = end
  }
  return segments
}
