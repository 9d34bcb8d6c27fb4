import { createHash } from 'node:crypto'
import { crc32, deflateRaw, constants as zlib } from 'node:zlib'
import type { Entry } from './entry.ts'
import { crc32Shift, storedBlock } from './gzip-join.ts'

/** A run of neighbouring launches: what a change replaces, and what unchanged listings keep. */
export interface Segment {
  readonly entries: readonly Entry[]
  /** The earliest start among those of its launches that have yet to start. */
  readonly nextStartMs: number
  /** Its bytes; made once, after the segment has found its place. */
  print?: Print
}

export interface Print {
  /** `,{…},{…}`: the leading comma is left out where the segment is the first of its listing. */
  readonly bytes: Buffer
  readonly digest: Buffer
  readonly crc: number
  /** What the checksum of whatever stands before these bytes is shifted by. */
  readonly crcShift: number
  /** Deflate blocks of the bytes, the comma in a block of its own; ended by a full flush, so that segments can be joined. */
  readonly deflated: Buffer
}

export const COMMA_BLOCK = storedBlock(Buffer.from(','))

export function createSegment(entries: readonly Entry[]): Segment {
  let nextStartMs = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    if (entry.status === 'upcoming' && entry.startMs < nextStartMs) nextStartMs = entry.startMs
  }
  return { entries, nextStartMs }
}

/** Lays the bytes out; they are compressed off the event loop. */
export async function printSegment({ entries }: Segment): Promise<Print> {
  let text = ''
  for (const { json } of entries) text += `,${json}`
  const bytes = Buffer.from(text)
  const content = bytes.subarray(1)
  return {
    bytes,
    digest: createHash('sha256').update(content).digest(),
    crc: crc32(bytes),
    crcShift: crc32Shift(bytes.length),
    deflated: Buffer.concat([COMMA_BLOCK, await deflate(content)]),
  }
}

function deflate(content: Buffer): Promise<Buffer> {
  const options = { level: 6, finishFlush: zlib.Z_FULL_FLUSH }
  return new Promise((resolve, reject) => {
    deflateRaw(content, options, (error, deflated) => (error ? reject(error) : resolve(deflated)))
  })
}
