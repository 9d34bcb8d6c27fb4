import { combineCrc32 } from './gzip-join.ts'
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
}

/** A sheet in more pieces than this is laid anew: so one that changes is copied now and then and not each time. */
const PIECES_MAX = 24

/** A sheet lives as long as the segment that it begins with, and is used again while it holds the same segments. */
const sheets = new WeakMap<Segment, Sheet>()

/** The segments, all of which must have been printed, in sheets. Where a sheet begins depends on the launches alone. */
export function laySheets(segments: readonly Segment[]): Sheet[] {
  const laid: Sheet[] = []
  for (let start = 0; start < segments.length; ) {
    let end = start + 1
    while (end < segments.length && !segments[end]?.entries[0]?.opensSheet) end += 1
    laid.push(sheetOf(segments.slice(start, end)))
    start = end
  }
  return laid
}

/** CRC-32 of the sheet's bytes without the leading comma. */
export function crcOfContent({ segments }: Sheet): number {
  return joinCrcs(segments, 'crcOfContent')
}

function sheetOf(segments: readonly Segment[]): Sheet {
  const first = segments[0] as Segment
  const known = sheets.get(first)
  if (known?.segments.length === segments.length && known.segments.every((kept, at) => kept === segments[at]))
    return known
  const sheet = createSheet(segments)
  sheets.set(first, sheet)
  return sheet
}

function createSheet(segments: readonly Segment[]): Sheet {
  if (piecesOf(segments, 'bytes').length > PIECES_MAX) layAnew(segments)
  const bytes = piecesOf(segments, 'bytes')
  return {
    segments,
    bytes,
    deflated: piecesOf(segments, 'deflated'),
    length: bytes.reduce((sum, piece) => sum + piece.length, 0),
    crc: joinCrcs(segments, 'crc'),
  }
}

/** Into one buffer for each form. The segments look into it from now on, so that everything is in memory once. */
function layAnew(segments: readonly Segment[]): void {
  const prints = segments.map(printOf)
  const [bytes, deflated] = [copyAndView(prints, 'bytes'), copyAndView(prints, 'deflated')]
  for (const [at, segment] of segments.entries())
    segment.print = {
      ...(prints[at] as Print),
      bytes: bytes[at] as Buffer,
      deflated: deflated[at] as Buffer,
    }
}

function copyAndView(prints: readonly Print[], form: 'bytes' | 'deflated'): Buffer[] {
  const whole = Buffer.concat(prints.map(print => print[form]))
  let start = 0
  return prints.map(print => {
    const view = whole.subarray(start, start + print[form].length)
    start += view.length
    return view
  })
}

/** Segments that lie one after the other in the same memory are one piece. */
function piecesOf(segments: readonly Segment[], form: 'bytes' | 'deflated'): Buffer[] {
  const pieces: Buffer[] = []
  for (const segment of segments) {
    const next = printOf(segment)[form]
    const last = pieces.at(-1)
    if (last?.buffer === next.buffer && last.byteOffset + last.length === next.byteOffset)
      pieces[pieces.length - 1] = Buffer.from(next.buffer, last.byteOffset, last.length + next.length)
    else pieces.push(next)
  }
  return pieces
}

function joinCrcs(segments: readonly Segment[], first: 'crc' | 'crcOfContent'): number {
  const [head, ...rest] = segments.map(printOf)
  return rest.reduce((crc, print) => combineCrc32(crc, print.crc, print.bytes.length), (head as Print)[first])
}

const printOf = ({ print }: Segment): Print => print as Print
