import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { crc32, deflateRaw, constants as zlib } from 'node:zlib'
import { crc32Shift, storedBlock } from './gzip-join.ts'
import type { ListedLaunch } from './listed-launch.ts'

/** A run of neighbouring launches. A change replaces the segments that it touches; all others are kept. */
export interface Segment {
  readonly launches: readonly ListedLaunch[]
  /** The earliest start among the launches that have not started yet. */
  readonly nextStartMs: number
  /** Set once, before the segment is first served. */
  encoded?: EncodedSegment
}

export interface EncodedSegment {
  /** `,{…},{…}`: the first segment of a listing is sent without its leading comma. */
  readonly bytes: Buffer
  readonly digest: Buffer
  readonly crc: number
  /** Multiplier for the checksum of the bytes before these. */
  readonly crcShift: number
  /** The same bytes as deflate blocks: the comma in a block of its own, a full flush at the end. */
  readonly deflated: Buffer
}

export const COMMA_BLOCK = storedBlock(Buffer.from(','))

/** Gives out segments during one update. */
export interface SegmentPool {
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

function createSegment(launches: readonly ListedLaunch[]): Segment {
  let nextStartMs = Number.POSITIVE_INFINITY
  for (const { status, startMs } of launches) {
    if (status === 'upcoming' && startMs < nextStartMs) nextStartMs = startMs
  }
  return { launches, nextStartMs }
}

const deflate = promisify(deflateRaw)

/** Serialises the launches here and compresses them on the thread pool. */
export async function encodeSegment(segment: Segment): Promise<void> {
  let text = ''
  for (const { json } of segment.launches) text += `,${json}`
  const bytes = Buffer.from(text)
  const content = bytes.subarray(1)
  // The full flush ends the blocks at a byte boundary, so that segments can be joined.
  const deflated = await deflate(content, { level: 6, finishFlush: zlib.Z_FULL_FLUSH })
  segment.encoded = {
    bytes,
    digest: createHash('sha256').update(content).digest(),
    crc: crc32(bytes),
    crcShift: crc32Shift(bytes.length),
    deflated: Buffer.concat([COMMA_BLOCK, deflated]),
  }
}
