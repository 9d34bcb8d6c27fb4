import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { crc32Shift } from './gzip-join.ts'
import type { EncodedSegment } from './listing.ts'

/** A part of a file: JSON and the compressed bytes of a segment, with a checksum, so that damage is noticed. */
export interface SegmentRecord {
  json: string
  encoded: EncodedSegment
}

const DIGEST_BYTES = 32
/** A checksum of everything after it, the lengths of JSON, plain and compressed bytes, the plain ones' checksum and their digest. */
const HEAD_BYTES = 5 * 4 + DIGEST_BYTES
/** Takes a few milliseconds to decode. */
const CHUNK_BYTES = 1024 * 1024

export const NO_SEGMENT: EncodedSegment = {
  length: 0,
  digest: Buffer.alloc(DIGEST_BYTES),
  crc: 0,
  crcShift: crc32Shift(0),
  deflated: Buffer.alloc(0),
}

export function encodeRecord({ json, encoded: { length, digest, crc, deflated } }: SegmentRecord): Buffer[] {
  const text = Buffer.from(json)
  const head = Buffer.alloc(HEAD_BYTES)
  for (const [at, value] of [text.length, length, deflated.length, crc].entries())
    head.writeUInt32LE(value, 4 + 4 * at)
  digest.copy(head, HEAD_BYTES - DIGEST_BYTES)
  // The checksum of nothing would start again from zero.
  const body = [text, deflated].filter(part => part.length > 0)
  const checksum = body.reduce((sum, part) => crc32(part, sum), crc32(head.subarray(4)))
  head.writeUInt32LE(checksum, 0)
  return [head, ...body]
}

/** Reads records until the end of the file. Throws at the first one that is damaged or cut. */
export async function* readRecords(file: FileHandle): AsyncGenerator<SegmentRecord> {
  const { size } = await file.stat()
  let left = size
  let chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  let [start, end] = [0, 0]

  /** The next bytes of the file. They are valid until the next call. */
  async function take(length: number): Promise<Buffer> {
    if (length > left) throw new Error('the file is cut or damaged')
    if (end - start < length) {
      const next = length > chunk.length ? Buffer.allocUnsafeSlow(length) : chunk
      chunk.copy(next, 0, start, end)
      ;[chunk, start, end] = [next, 0, end - start]
      while (end < length) {
        const { bytesRead } = await file.read(chunk, end, chunk.length - end)
        if (bytesRead === 0) throw new Error('the file is cut')
        end += bytesRead
      }
    }
    start += length
    left -= length
    return chunk.subarray(start - length, start)
  }

  while (left > 0) {
    const head = await take(HEAD_BYTES)
    const [checksum = 0, jsonLength = 0, length = 0, deflatedLength = 0, crc = 0] = Array.from(
      { length: 5 },
      (_, at) => head.readUInt32LE(4 * at),
    )
    const digest = Buffer.from(head.subarray(HEAD_BYTES - DIGEST_BYTES))
    const headSum = crc32(head.subarray(4))
    const body = await take(jsonLength + deflatedLength)
    if (crc32(body, headSum) !== checksum) throw new Error('the file is damaged')
    // Kept for as long as the segment, so it must not be a view of the chunk.
    const deflated = Buffer.allocUnsafeSlow(deflatedLength)
    body.copy(deflated, 0, jsonLength)
    yield {
      json: body.toString('utf8', 0, jsonLength),
      encoded: {
        plain: undefined,
        length,
        digest,
        crc,
        crcShift: crc32Shift(length),
        deflated,
      },
    }
  }
}
