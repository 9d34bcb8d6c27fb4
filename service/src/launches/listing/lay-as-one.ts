import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Print, Segment } from './segment.ts'
import { forgetSheets, lookInto } from './sheet.ts'

/** Copied before others may run. */
const SLICE_BYTES = 2 * 1024 * 1024

/**
 * Copies the segments of a whole listing, all of which must have been printed, into one buffer for each form, where they
 * look from then on. Nothing has happened if it returns false: there was something better to do meanwhile.
 */
export async function layAsOne(segments: readonly Segment[], isQuiet: () => boolean): Promise<boolean> {
  const copy = (form: 'bytes' | 'deflated') =>
    copyInSlices(
      segments.map(({ print }) => (print as Print)[form]),
      isQuiet,
    )
  const bytes = await copy('bytes')
  const deflated = bytes && (await copy('deflated'))
  if (!deflated) return false
  lookInto(segments, bytes, deflated)
  forgetSheets(segments)
  return true
}

async function copyInSlices(pieces: readonly Buffer[], isQuiet: () => boolean): Promise<Buffer | undefined> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  let sliceEnd = SLICE_BYTES
  for (const piece of pieces) {
    end += piece.copy(whole, end)
    if (end < sliceEnd) continue
    sliceEnd = end + SLICE_BYTES
    await nextTurn()
    if (!isQuiet()) return undefined
  }
  return whole
}
