/** How long a slot takes, measured from the slots of answers and when they came. */
export interface SlotTime {
  /** In milliseconds, within the bounds. Until it is measured, the shortest that is possible. */
  slotMs(): number
  /** The same, but until it is measured, the longest that is possible. */
  slotMsMost(): number
  /** As it was measured, even out of the bounds; undefined before. */
  measuredMs(): number | undefined
  /** A newer slot than any before was seen now. */
  note(slot: number): void
}

/** Bounds far from what any chain does: a value outside them is an error of an endpoint or of a clock. */
export const SLOT_MS_MIN = 20
export const SLOT_MS_MAX = 2_000

/** It is measured over one to two of these, so that a change shows within a minute. */
const SPAN_MS = 30_000
/** A shorter or smaller distance says too little: answers are seen up to a slot late. */
const SPAN_MS_MIN = 2_000
const SLOTS_MIN = 4

export function createSlotTime({ clock = Date.now }: { clock?: () => number } = {}): SlotTime {
  let first: { slot: number; atMs: number } | undefined
  let middle = first
  let measuredMs: number | undefined

  const within = (ms: number) => Math.min(SLOT_MS_MAX, Math.max(SLOT_MS_MIN, ms))

  return {
    slotMs: () => within(measuredMs ?? SLOT_MS_MIN),
    slotMsMost: () => within(measuredMs ?? SLOT_MS_MAX),
    measuredMs: () => measuredMs,
    note(slot) {
      const seen = { slot, atMs: clock() }
      // The clock was set back, or another cluster is followed: the measurement begins again.
      if (!first || !middle || slot < middle.slot || seen.atMs < middle.atMs) {
        first = seen
        middle = seen
        return
      }
      const [slots, passedMs] = [slot - first.slot, seen.atMs - first.atMs]
      if (slots >= SLOTS_MIN && passedMs >= SPAN_MS_MIN) measuredMs = passedMs / slots
      if (seen.atMs - middle.atMs < SPAN_MS) return
      first = middle
      middle = seen
    },
  }
}
