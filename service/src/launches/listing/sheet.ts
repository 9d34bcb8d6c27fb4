import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { appendCrc32 } from './gzip-join.ts'
import { joinNeighbours } from './pieces.ts'
import type { Print, Segment } from './segment.ts'

/**
 * Neighbouring segments, about 1.5 MB of listing, that lie in a buffer or in a few. Sending a hundred small buffers costs
 * more than sending ten large ones; laying a whole sheet anew for each segment that changes would copy all of it.
 */
export interface Sheet {
  readonly segments: readonly Segment[]
  /** What is sent, in order. Together the bytes of the segments, and the deflated form of the same. */
  readonly bytes: readonly Buffer[]
  readonly deflated: readonly Buffer[]
  readonly length: number
  readonly crc: number
  /** Of its launches: the same in every process, however the bytes lie. */
  readonly digest: Buffer
}

/** A sheet in more pieces than this is laid anew: so one that changes is copied now and then and not each time. */
const SHEET_PIECES_MAX = 24
const SLICE_MS = 4

/** A sheet lives as long as the segment that it begins with, and is used again while it holds the same segments. */
const sheets = new WeakMap<Segment, Sheet>()

/** The segments, all of which must have been printed, in sheets. Where a sheet begins depends on the launches alone. */
export async function laySheets(segments: readonly Segment[]): Promise<Sheet[]> {
  const laid: Sheet[] = []
  let sliceStartMs = performance.now()
  for (let start = 0; start < segments.length; ) {
    let end = start + 1
    while (end < segments.length && !segments[end]?.entries[0]?.opensSheet) end += 1
    const run = segments.slice(start, end)
    laid.push(knownSheet(run) ?? createSheet(run))
    start = end
    // Requests are answered in between.
    if (performance.now() - sliceStartMs > SLICE_MS) {
      await nextTurn()
      sliceStartMs = performance.now()
    }
  }
  return laid
}

/** Those that begin with one of these segments. */
export function forgetSheets(segments: readonly Segment[]): void {
  for (const segment of segments) sheets.delete(segment)
}

function knownSheet(segments: readonly Segment[]): Sheet | undefined {
  const known = sheets.get(segments[0] as Segment)
  const isSame =
    known?.segments.length === segments.length && known.segments.every((kept, at) => kept === segments[at])
  return isSame ? known : undefined
}

function createSheet(segments: readonly Segment[]): Sheet {
  let bytes = piecesOf(segments, 'bytes')
  if (bytes.length > SHEET_PIECES_MAX) {
    layAnew(segments)
    bytes = piecesOf(segments, 'bytes')
  }
  const sheet = {
    segments,
    bytes,
    deflated: piecesOf(segments, 'deflated'),
    length: bytes.reduce((sum, piece) => sum + piece.length, 0),
    crc: segments.reduce(
      (crc, segment) => appendCrc32(crc, printOf(segment).crc, printOf(segment).crcShift),
      0,
    ),
    digest: createHash('sha256')
      .update(Buffer.concat(segments.map(segment => printOf(segment).digest)))
      .digest(),
  }
  // One that began in the middle of this is of no use any more, and would keep what was in it alive.
  forgetSheets(segments)
  sheets.set(segments[0] as Segment, sheet)
  return sheet
}

function layAnew(segments: readonly Segment[]): void {
  const prints = segments.map(printOf)
  lookInto(
    segments,
    Buffer.concat(prints.map(print => print.bytes)),
    Buffer.concat(prints.map(print => print.deflated)),
  )
}

/** The segments were copied one after the other, and look into the copy from now on. */
export function lookInto(segments: readonly Segment[], bytes: Buffer, deflated: Buffer): void {
  let start = 0
  let deflatedStart = 0
  for (const segment of segments) {
    const print = printOf(segment)
    const end = start + print.bytes.length
    const deflatedEnd = deflatedStart + print.deflated.length
    segment.print = {
      ...print,
      bytes: bytes.subarray(start, end),
      deflated: deflated.subarray(deflatedStart, deflatedEnd),
    }
    start = end
    deflatedStart = deflatedEnd
  }
}

const piecesOf = (segments: readonly Segment[], form: 'bytes' | 'deflated'): Buffer[] =>
  joinNeighbours(segments.map(segment => printOf(segment)[form]))

const printOf = ({ print }: Segment): Print => print as Print
