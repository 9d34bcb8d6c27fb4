/** The highest slot that any answer was as of: nobody is shown older state once he could have seen it. */
export interface SlotMark {
  slot(): number
  /** An answer was as of this slot. */
  reached(slot: number): void
  /** A call failed because nobody had come as far. */
  missed(): void
}

/** By then any node that works has got there: a chain makes 150 slots in a minute. */
const UNREACHED_MS_MAX = 60_000

/**
 * A mark that nobody reaches for a minute is forgotten: one node gave a slot that does not exist, or the chain was
 * begun anew. Without this, one wrong number would end the service until it is restarted.
 */
export function createSlotMark({
  unreachedMsMax = UNREACHED_MS_MAX,
  clock = () => performance.now(),
}: {
  unreachedMsMax?: number
  clock?: () => number
} = {}): SlotMark {
  let mark = 0
  let missedSinceMs: number | undefined
  return {
    slot: () => mark,
    reached(slot) {
      if (slot < mark) return
      mark = slot
      missedSinceMs = undefined
    },
    missed() {
      missedSinceMs ??= clock()
      if (clock() - missedSinceMs < unreachedMsMax) return
      mark = 0
      missedSinceMs = undefined
    },
  }
}
