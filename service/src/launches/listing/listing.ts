import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { crc32, createBrotliCompress, deflateRaw, inflateRaw, constants as zlib } from 'node:zlib'
import pLimit from 'p-limit'
import type { Encoding, Representation, Snapshot } from '../../endpoint/endpoint.ts'
import { eachInTurns } from '../../lib/each-in-turns.ts'
import { combineCrc32, crc32Shift, type DeflatedPart, joinGzip, storedBlock } from './gzip-join.ts'
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

/** A run of neighbouring launches. A change replaces the segments that it touches; all others are kept. */
export interface Segment {
  readonly launches: readonly ListedLaunch[]
  /** The earliest start among the launches that have not started yet. */
  readonly nextStartMs: number
  /** Set once, before the segment is first served. */
  encoded?: EncodedSegment
}

/** `,{…},{…}`: the first segment of a listing is sent without its leading comma. */
export interface EncodedSegment {
  readonly plain: Buffer
  readonly digest: Buffer
  readonly crc: number
  /** Multiplier for the checksum of the bytes before these. */
  readonly crcShift: number
  /** The bytes as deflate blocks: the comma in a block of its own, a full flush at the end. */
  readonly deflated: Buffer
}

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
  for (const { status, startMs } of launches)
    if (status === 'upcoming' && startMs < nextStartMs) nextStartMs = startMs
  return { launches, nextStartMs }
}

const COMMA = Buffer.from(',')
const COMMA_BLOCK = storedBlock(COMMA)
const COMMA_CRC = crc32(COMMA)
const OPENING = Buffer.from('{"data":[')
const CLOSING = Buffer.from(']}')
/** Compression runs on the thread pool; more at a time would starve the requests. */
const SEGMENTS_AT_ONCE = 2
/** A body up to this size is copied into one buffer at once, which is faster to send than many. */
const JOINED_BYTES_MAX = 4 * 1024 * 1024
/** One up to this size is copied while there is nothing else to do, because that takes a few milliseconds. */
const JOINED_LATER_BYTES_MAX = 16 * 1024 * 1024
const BROTLI_QUALITY = 4
/** Takes a few milliseconds to compress. */
const BROTLI_SLICE_BYTES = 256 * 1024

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Gives each listing its snapshot. Segments and listings that have been encoded before are left as they are. */
export async function encodeListings(listings: Iterable<Listing>): Promise<void> {
  const missing = [...new Set(listings)].filter(({ snapshot }) => !snapshot)
  const segments = new Set(missing.flatMap(listing => listing.segments))
  const limit = pLimit(SEGMENTS_AT_ONCE)
  await Promise.all([...segments].flatMap(segment => (segment.encoded ? [] : limit(encodeSegment, segment))))
  for (const listing of missing) {
    listing.snapshot = createSnapshot(listing)
    // Requests are answered in between.
    await nextTurn()
  }
}

/** Serialises the launches here and compresses them on the thread pool. */
async function encodeSegment(segment: Segment): Promise<void> {
  const plain = joinJson(segment)
  const content = plain.subarray(1)
  // The full flush ends the blocks at a byte boundary, so that segments can be joined.
  const deflated = await deflate(content, { level: 6, finishFlush: zlib.Z_FULL_FLUSH })
  // Another listing may have encoded it meanwhile.
  segment.encoded ??= {
    plain,
    digest: createHash('sha256').update(content).digest(),
    crc: crc32(plain),
    crcShift: crc32Shift(plain.length),
    deflated: Buffer.concat([COMMA_BLOCK, deflated]),
  }
}

function joinJson({ launches }: Segment): Buffer {
  const joined = Buffer.allocUnsafeSlow(launches.reduce((sum, { length }) => sum + 1 + length, 0))
  let at = 0
  for (const { source, start, length } of launches) {
    at += COMMA.copy(joined, at)
    at += source.copy(joined, at, start, start + length)
  }
  return joined
}

/** The plain bytes of an encoded segment, of which the length is known. */
export const inflateSegment = (deflated: Buffer, length: number): Promise<Buffer> =>
  // There is no final block.
  inflate(deflated, { chunkSize: Math.max(length, zlib.Z_MIN_CHUNK), finishFlush: zlib.Z_SYNC_FLUSH })

/** From now on, the launches' JSON is read from this segment, so that it is in memory only once. */
export function moveJson({ launches, encoded }: Segment): void {
  // The launches of a segment are moved together.
  if (!encoded || launches[0]?.source === encoded.plain) return
  let at = 0
  for (const launch of launches) {
    launch.source = encoded.plain
    launch.start = at + 1
    at += 1 + launch.length
  }
}

function createSnapshot({ segments }: Listing): Snapshot {
  const encoded = segments.map(segment => segment.encoded as EncodedSegment)
  const hash = createHash('sha256')
  for (const { digest } of encoded) hash.update(digest)
  const tag = hash.digest('base64url').slice(0, 27)
  const [first, ...rest] = encoded
  const opening = storedPart(OPENING)
  const deflated = [
    opening,
    ...(first ? [withoutComma(first)] : []),
    ...rest.map(toPart),
    storedPart(CLOSING),
  ]
  const plain = encoded.map((segment, at) => (at === 0 ? segment.plain.subarray(1) : segment.plain))
  return {
    identity: represent('identity', [OPENING, ...plain, CLOSING], tag),
    gzip: represent('gzip', joinGzip(deflated), tag),
  }
}

const toPart = ({ deflated, crc, crcShift, plain }: EncodedSegment): DeflatedPart => ({
  deflated,
  crc,
  crcShift,
  length: plain.length,
})

function withoutComma({ deflated, crc, plain }: EncodedSegment): DeflatedPart {
  const length = plain.length - 1
  const crcShift = crc32Shift(length)
  return {
    deflated: deflated.subarray(COMMA_BLOCK.length),
    // Addition in the field of CRC-32 is XOR: adding the comma a second time removes it.
    crc: combineCrc32(COMMA_CRC, crc, crcShift),
    crcShift,
    length,
  }
}

const storedPart = (content: Buffer): DeflatedPart => ({
  deflated: storedBlock(content),
  crc: crc32(content),
  crcShift: crc32Shift(content.length),
  length: content.length,
})

/**
 * Does what can wait: compresses the whole listing off the event loop, because Brotli streams cannot be joined, and copies a
 * long one into one buffer. Stops, and discards the partial result, as soon as there is other work.
 */
export async function finishSnapshot(snapshot: Snapshot, isIdle: () => boolean): Promise<void> {
  const { parts, length, etag } = snapshot.identity
  const brotli = createBrotliCompress({
    params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: length },
  })
  let isComplete = false
  function* slices() {
    for (const part of parts) {
      for (let start = 0; start < part.length; start += BROTLI_SLICE_BYTES) {
        if (!isIdle()) return
        yield part.subarray(start, start + BROTLI_SLICE_BYTES)
      }
    }
    isComplete = true
  }
  const compressed: Buffer[] = []
  await pipeline(slices, brotli, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) compressed.push(chunk)
  })
  if (!isComplete) return
  snapshot.br = represent('br', [Buffer.concat(compressed)], etag.slice(1, -1))
  if (parts.length > 1 && length <= JOINED_LATER_BYTES_MAX)
    snapshot.identity = { ...snapshot.identity, parts: [Buffer.concat(parts, length)] }
}

function represent(encoding: Encoding, parts: Buffer[], tag: string): Representation {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const suffix = encoding === 'identity' ? '' : `-${encoding}`
  return {
    encoding,
    etag: `"${tag}${suffix}"`,
    parts: length <= JOINED_BYTES_MAX ? [Buffer.concat(parts, length)] : parts,
    length,
  }
}
