import { createHash } from 'node:crypto'
import { pipeline as pipe, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32, createBrotliCompress, createGunzip, constants as zlib } from 'node:zlib'
import pLimit from 'p-limit'
import type { Encoding, Representation, Snapshot } from '../../endpoint/endpoint.ts'
import { combineCrc32, crc32Shift, type DeflatedPart, joinGzip, storedBlock } from './gzip-join.ts'
import {
  COMMA_BLOCK,
  decompressSegment,
  type EncodedSegment,
  encodeSegment,
  type Listing,
} from './listing.ts'

const OPENING = Buffer.from('{"data":[')
const CLOSING = Buffer.from(']}')
const COMMA_CRC = crc32(',')
/** Compression runs on the thread pool; more at a time would starve the requests. */
const SEGMENTS_AT_ONCE = 2
/** A body up to this size is copied into one buffer at once, which is faster to send than many. */
const JOIN_BYTES_MAX = 4 * 1024 * 1024
/**
 * A longer listing is in memory only as gzip, and decompressed while it is sent. A shorter one is copied too while there is nothing
 * else to do, which takes a few milliseconds.
 */
const PLAIN_BYTES_MAX = 16 * 1024 * 1024
/** About a segment. Each response that is being sent holds two or three of them. */
const GUNZIP_CHUNK_BYTES = 64 * 1024
const BROTLI_QUALITY = 4
/** Takes a few milliseconds to compress. */
const BROTLI_SLICE_BYTES = 256 * 1024

/** Gives each listing its snapshot. Segments and listings that have been encoded before are left as they are. */
export async function encodeListings(
  listings: Iterable<Listing>,
  plainBytesMax = PLAIN_BYTES_MAX,
): Promise<void> {
  const missing = [...new Set(listings)].filter(({ snapshot }) => !snapshot)
  const segments = new Set(missing.flatMap(listing => listing.segments))
  const isPlain = (listing: Listing) => jsonLength(listing) <= plainBytesMax
  const plain = new Set(missing.filter(isPlain).flatMap(listing => listing.segments))
  const limit = pLimit(SEGMENTS_AT_ONCE)
  await Promise.all(
    [...segments].flatMap(segment => {
      if (!segment.encoded) return limit(encodeSegment, segment, plain.has(segment))
      return plain.has(segment) ? limit(decompressSegment, segment) : []
    }),
  )
  for (const listing of missing) {
    listing.snapshot = createSnapshot(listing, isPlain(listing))
    // Requests are answered in between.
    await nextTurn()
  }
}

const jsonLength = ({ segments }: Listing) => segments.reduce((sum, { length }) => sum + length, 0)

function createSnapshot({ segments }: Listing, isPlain: boolean): Snapshot {
  const encoded = segments.map(segment => segment.encoded as EncodedSegment)
  const hash = createHash('sha256')
  for (const { digest } of encoded) hash.update(digest)
  const tag = hash.digest('base64url').slice(0, 27)
  const [first, ...rest] = encoded
  const deflated = [
    storedPart(OPENING),
    ...(first ? [withoutComma(first), ...rest] : []),
    storedPart(CLOSING),
  ]
  const gzip = represent('gzip', joinGzip(deflated), tag)
  if (!isPlain) {
    const length = deflated.reduce((sum, part) => sum + part.length, 0)
    return {
      identity: { encoding: 'identity', etag: `"${tag}"`, parts: [], open: () => gunzip(gzip.parts), length },
      gzip,
    }
  }
  const bytes = encoded.map(({ plain }, at) => (at === 0 ? plain?.subarray(1) : plain) as Buffer)
  return { identity: represent('identity', [OPENING, ...bytes, CLOSING], tag), gzip }
}

/** The caller must read it to its end or destroy it. */
function gunzip(parts: readonly Buffer[]): Readable {
  const stream = createGunzip({ chunkSize: GUNZIP_CHUNK_BYTES })
  // The reader gets the error as well.
  pipe(Readable.from(parts), stream, () => {})
  return stream
}

function withoutComma({ deflated, crc, length: withComma }: EncodedSegment): DeflatedPart {
  const length = withComma - 1
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
  const { parts, open, length, etag } = snapshot.identity
  const brotli = createBrotliCompress({
    params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: length },
  })
  let isComplete = false
  async function* slices() {
    for await (const part of open?.() ?? parts) {
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
  if (parts.length > 1) {
    snapshot.identity = { ...snapshot.identity, parts: [Buffer.concat(parts, length)] }
  }
}

function represent(encoding: Encoding, parts: Buffer[], tag: string): Representation {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const suffix = encoding === 'identity' ? '' : `-${encoding}`
  return {
    encoding,
    etag: `"${tag}${suffix}"`,
    parts: length <= JOIN_BYTES_MAX ? [Buffer.concat(parts, length)] : parts,
    length,
  }
}
