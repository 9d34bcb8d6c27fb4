import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { crc32, createBrotliCompress, constants as zlib } from 'node:zlib'
import type { Encoding, Representation, Snapshot } from '../../endpoint/representation.ts'
import { combineCrc32, type DeflatedPiece, joinGzip, storedBlock } from './gzip-join.ts'
import type { Listing } from './listing.ts'
import { gatherPieces } from './pieces.ts'
import { COMMA_BLOCK } from './segment.ts'
import { laySheets, type Sheet } from './sheet.ts'

const OPENING = Buffer.from('{"data":[')
const CLOSING = Buffer.from(']}')
const OPENING_PIECE = storedPiece(OPENING)
const CLOSING_PIECE = storedPiece(CLOSING)
const COMMA_CRC = crc32(',')
/** What costs less to copy once than to send in pieces. */
const JOIN_BYTES_MAX = 4 * 1024 * 1024
const BROTLI_QUALITY = 4
/** What takes a few milliseconds. */
const BROTLI_SLICE_BYTES = 256 * 1024

/** Joins the segments, all of which must have been printed. */
export async function createSnapshot({ segments }: Listing): Promise<Snapshot> {
  const sheets = await laySheets(segments)
  const hash = createHash('sha256')
  for (const { digest } of sheets) hash.update(digest)
  const tag = hash.digest('base64url').slice(0, 27)
  return {
    identity: represent('identity', [OPENING, ...sheets.flatMap(identityParts), CLOSING], tag),
    gzip: represent('gzip', joinGzip([OPENING_PIECE, ...sheets.map(gzipPiece), CLOSING_PIECE]), tag),
  }
}

const identityParts = ({ bytes }: Sheet, at: number) => (at === 0 ? withoutStart(bytes, 1) : bytes)

function gzipPiece({ deflated, crc, length }: Sheet, at: number): DeflatedPiece {
  if (at > 0) return { blocks: deflated, crc, length }
  return {
    blocks: withoutStart(deflated, COMMA_BLOCK.length),
    // Checksums are sums: what added the comma takes it away.
    crc: combineCrc32(COMMA_CRC, crc, length - 1),
    length: length - 1,
  }
}

/** The comma before the first launch of a listing is not sent. */
const withoutStart = ([first, ...rest]: readonly Buffer[], length: number) => [
  (first as Buffer).subarray(length),
  ...rest,
]

/**
 * Compresses the whole anew, off the event loop: Brotli streams cannot be joined. Given up as soon as there is something
 * else to do.
 */
export async function addBrotli(snapshot: Snapshot, isQuiet: () => boolean): Promise<void> {
  const { parts, length, etag } = snapshot.identity
  const brotli = createBrotliCompress({
    params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: length },
  })
  let isWhole = false
  function* slices() {
    for (const part of parts) {
      for (let start = 0; start < part.length; start += BROTLI_SLICE_BYTES) {
        if (!isQuiet()) return
        yield part.subarray(start, start + BROTLI_SLICE_BYTES)
      }
    }
    isWhole = true
  }
  const compressed: Buffer[] = []
  await pipeline(slices, brotli, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) compressed.push(chunk)
  })
  if (isWhole) snapshot.br = represent('br', [Buffer.concat(compressed)], etag.slice(1, -1))
}

function represent(encoding: Encoding, parts: Buffer[], tag: string): Representation {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const suffix = encoding === 'identity' ? '' : `-${encoding}`
  return {
    encoding,
    etag: `"${tag}${suffix}"`,
    parts: length <= JOIN_BYTES_MAX ? [Buffer.concat(parts, length)] : gatherPieces(parts),
    length,
  }
}

function storedPiece(content: Buffer): DeflatedPiece {
  return { blocks: [storedBlock(content)], crc: crc32(content), length: content.length }
}
