import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32, deflateRaw, inflateRaw, constants as zlib } from 'node:zlib'
import type { Snapshot } from '../../endpoint/endpoint.ts'
import { eachInTurns } from '../../lib/each-in-turns.ts'
import { crc32Shift, storedBlock } from './gzip-join.ts'
import { inflateOptions, type JsonSource, readJson } from './json-source.ts'
import { compareLaunches, type ListedLaunch } from './listed-launch.ts'

/** The launches that match one filter, in order, cut into segments. */
export interface Listing {
  readonly segments: readonly Segment[]
  /** Set once, before the listing is first served. */
  snapshot?: Snapshot
}

export const EMPTY_LISTING: Listing = { segments: [] }

/**
 * The listing without `removed` and with `added`, which must be in order. Segments that hold neither are kept. Every
 * segment but the first begins with a launch that opens one, so the cuts depend on the launches alone and not on the
 * order in which they arrived.
 */
export async function updateListing(
  listing: Listing,
  removed: readonly ListedLaunch[],
  added: readonly ListedLaunch[],
  pool: SegmentPool,
): Promise<Listing> {
  if (removed.length === 0 && added.length === 0) return listing
  const gone = new Set(removed)
  const touched = await findTouched(listing, removed, added, gone)

  const segments: Segment[] = []
  let arrival = 0
  for (let at = 0; at < listing.segments.length || at === 0; ) {
    if (listing.segments.length > 0 && !touched.has(at)) {
      segments.push(listing.segments[at] as Segment)
      at += 1
      continue
    }
    // Touched neighbours are merged and cut again as one run.
    const kept: ListedLaunch[] = []
    do {
      const segment = listing.segments[at]
      if (segment) pool.add(segment)
      for (const launch of segment?.launches ?? []) if (!gone.has(launch)) kept.push(launch)
      at += 1
    } while (touched.has(at))
    const next = listing.segments[at]?.launches[0]
    const from = arrival
    while (arrival < added.length && (!next || compareLaunches(added[arrival] as ListedLaunch, next) < 0))
      arrival += 1
    const launches = await merge(kept, added.slice(from, arrival))
    await eachInTurns(cut(launches), run => segments.push(pool.get(run)))
  }
  return { segments }
}

async function findTouched(
  { segments }: Listing,
  removed: readonly ListedLaunch[],
  added: readonly ListedLaunch[],
  gone: ReadonlySet<ListedLaunch>,
): Promise<Set<number>> {
  const touched = new Set<number>()
  const touch = (launch: ListedLaunch) => touched.add(findSegment(segments, launch))
  await eachInTurns(removed, touch)
  await eachInTurns(added, touch)
  // A segment that lost its opening launch is merged into the one before it.
  for (let at = segments.length - 1; at > 0; at -= 1) {
    const first = segments[at]?.launches[0]
    if (touched.has(at) && first && gone.has(first)) touched.add(at - 1)
  }
  return touched
}

/** The last segment that begins at or before the launch, or the first. */
function findSegment(segments: readonly Segment[], launch: ListedLaunch): number {
  let low = 0
  let high = segments.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    const first = segments[middle]?.launches[0] as ListedLaunch
    if (compareLaunches(first, launch) <= 0) low = middle
    else high = middle - 1
  }
  return low
}

/** Two sorted runs as one. */
export async function merge(
  left: readonly ListedLaunch[],
  right: readonly ListedLaunch[],
): Promise<readonly ListedLaunch[]> {
  if (left.length === 0) return right
  const merged: ListedLaunch[] = []
  let at = 0
  await eachInTurns(left, launch => {
    while (at < right.length && compareLaunches(right[at] as ListedLaunch, launch) < 0)
      merged.push(right[at++] as ListedLaunch)
    merged.push(launch)
  })
  while (at < right.length) merged.push(right[at++] as ListedLaunch)
  return merged
}

function* cut(launches: readonly ListedLaunch[]): Generator<readonly ListedLaunch[]> {
  for (let start = 0; start < launches.length; ) {
    let end = start + 1
    while (end < launches.length && !launches[end]?.opensSegment) end += 1
    yield launches.slice(start, end)
    start = end
  }
}

/** The listing as if it and these segments had never been encoded. Who still sends the old one keeps its bytes. */
export const withoutEncoding = ({ segments }: Listing, drops: (segment: Segment) => boolean): Listing => ({
  segments: segments.map(segment => (drops(segment) ? createSegment(segment.launches) : segment)),
})

/** A run of neighbouring launches. A change replaces the segments that it touches; all others are kept. */
export interface Segment {
  readonly launches: readonly ListedLaunch[]
  /** The earliest start among the launches that have not started yet. */
  readonly nextStartMs: number
  /** Of the JSON of its launches, with a comma before each. */
  readonly length: number
  /** Set once, before the segment is first served. */
  encoded?: EncodedSegment
}

/** `,{…},{…}`: the first segment of a listing is sent without its leading comma. */
export interface EncodedSegment extends JsonSource {
  readonly digest: Buffer
  readonly crc: number
  /** Multiplier for the checksum of the bytes before these. */
  readonly crcShift: number
  /** The bytes as deflate blocks: the comma in a block of its own, a full flush at the end. */
  readonly deflated: Buffer
}

export const COMMA_BLOCK = storedBlock(Buffer.from(','))

/** Gives out segments during one update. */
interface SegmentPool {
  /** The segment that holds exactly this run, if there is one; otherwise a new one. */
  get(run: readonly ListedLaunch[]): Segment
  /** Offers an existing segment for reuse. */
  add(segment: Segment): void
}

/** Listings have many runs in common: an equal run gets the same segment, which is encoded once and shares its memory. */
export function createSegmentPool(): SegmentPool {
  const byFirst = new Map<ListedLaunch | undefined, Segment[]>()

  function add(segment: Segment) {
    const [first] = segment.launches
    const known = byFirst.get(first)
    if (known) known.push(segment)
    else byFirst.set(first, [segment])
  }

  return {
    add,
    get(run) {
      const known = byFirst.get(run[0])?.find(({ launches }) => isSameRun(launches, run))
      if (known) return known
      const segment = createSegment(run)
      add(segment)
      return segment
    },
  }
}

const isSameRun = (a: readonly ListedLaunch[], b: readonly ListedLaunch[]) =>
  a.length === b.length && a.every((launch, at) => launch === b[at])

export function createSegment(launches: readonly ListedLaunch[]): Segment {
  let nextStartMs = Number.POSITIVE_INFINITY
  let size = 0
  for (const { status, startMs, length } of launches) {
    size += 1 + length
    if (status === 'upcoming' && startMs < nextStartMs) nextStartMs = startMs
  }
  return { launches, nextStartMs, length: size }
}

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Serialises the launches here and compresses them on the thread pool. */
export async function encodeSegment(segment: Segment, keepsPlain: boolean): Promise<void> {
  const plain = joinJson(segment)
  const content = plain.subarray(1)
  // The full flush ends the blocks at a byte boundary, so that segments can be joined.
  const deflated = await deflate(content, { level: 6, finishFlush: zlib.Z_FULL_FLUSH })
  if (segment.encoded) {
    // Another listing has encoded it meanwhile.
    if (keepsPlain) segment.encoded.plain ??= plain
    return
  }
  segment.encoded = {
    plain: keepsPlain ? plain : undefined,
    length: plain.length,
    digest: createHash('sha256').update(content).digest(),
    crc: crc32(plain),
    crcShift: crc32Shift(plain.length),
    deflated: Buffer.concat([COMMA_BLOCK, deflated]),
  }
}

/** Gives an encoded segment its plain bytes, if it has none. */
export async function decompressSegment({ encoded }: Segment): Promise<void> {
  if (encoded && !encoded.plain) encoded.plain = await inflate(encoded.deflated, inflateOptions(encoded))
}

function joinJson({ launches, length: size }: Segment): Buffer {
  const joined = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const { source, start, length } of launches) {
    at += joined.write(',', at)
    at += readJson(source).copy(joined, at, start, start + length)
  }
  return joined
}

/** From now on, the launches' JSON is read from this segment, so that it is in memory only once. */
export function moveJson({ launches, encoded }: Segment): void {
  // The launches of a segment are moved together.
  if (!encoded || launches[0]?.source === encoded) return
  let at = 0
  for (const launch of launches) {
    launch.source = encoded
    launch.start = at + 1
    at += 1 + launch.length
  }
}
