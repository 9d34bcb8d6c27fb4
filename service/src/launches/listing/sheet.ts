import { combineCrc32 } from './gzip-join.ts'
import type { Print, Segment } from './segment.ts'

/**
 * Neighbouring segments laid into one buffer, about 1.5 MB of listing. Sending a hundred small buffers costs more than
 * sending ten large ones; laying a whole listing into one would copy all of it for each change.
 */
export interface Sheet extends Omit<Print, 'digest'> {
  readonly segments: readonly Segment[]
}

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

function sheetOf(segments: readonly Segment[]): Sheet {
  const first = segments[0] as Segment
  const known = sheets.get(first)
  if (known?.segments.length === segments.length && known.segments.every((kept, at) => kept === segments[at]))
    return known
  const sheet = laySheet(segments)
  sheets.set(first, sheet)
  return sheet
}

function laySheet(segments: readonly Segment[]): Sheet {
  const prints = segments.map(({ print }) => print as Print)
  const bytes = Buffer.concat(prints.map(print => print.bytes))
  const deflated = Buffer.concat(prints.map(print => print.deflated))
  let { crc, crcOfContent } = prints[0] as Print
  for (const print of prints.slice(1)) {
    crc = combineCrc32(crc, print.crc, print.bytes.length)
    crcOfContent = combineCrc32(crcOfContent, print.crc, print.bytes.length)
  }
  // The segments now look into the sheet, so that everything is in memory once.
  const [byteViews, deflatedViews] = [viewsOf(bytes, prints, 'bytes'), viewsOf(deflated, prints, 'deflated')]
  for (const [at, segment] of segments.entries())
    segment.print = {
      ...(prints[at] as Print),
      bytes: byteViews[at] as Buffer,
      deflated: deflatedViews[at] as Buffer,
    }
  return { segments, bytes, deflated, crc, crcOfContent }
}

function viewsOf(whole: Buffer, prints: readonly Print[], form: 'bytes' | 'deflated'): Buffer[] {
  let start = 0
  return prints.map(print => {
    const view = whole.subarray(start, start + print[form].length)
    start += view.length
    return view
  })
}
