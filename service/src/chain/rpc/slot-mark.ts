/** The newest slot that any answer was as of. Answers from before it are refused, so nobody sees time run backwards. */
export interface SlotMark {
  slot(): number
  /** An answer was as of this slot. */
  reached(slot: number): void
  /** A call failed because no endpoint had come as far. */
  missed(): void
  /** The chain is known to have come to this slot, whatever endpoints say. The mark never falls below it. */
  atLeast(slot: number): void
  /** What raised the mark above this slot came from another cluster. */
  goBackTo(slot: number): void
  /** Another cluster has taken the network's name: nothing known of slots is worth anything. */
  reset(): void
}

/** By then any endpoint that works has got there: a chain makes 150 slots in a minute. */
const UNREACHED_MS_MAX = 60_000

/**
 * A mark that no endpoint reaches for a minute is a mistake: one of them gave a slot that does not exist. It then falls
 * back to the slot that the index has confirmed. Without this, one wrong number would end the service until a restart.
 */
export function createSlotMark({
  unreachedMsMax = UNREACHED_MS_MAX,
  clock = () => performance.now(),
}: {
  unreachedMsMax?: number
  clock?: () => number
} = {}): SlotMark {
  let mark = 0
  let floor = 0
  let missedSinceMs: number | undefined

  function set(slot: number) {
    mark = slot
    missedSinceMs = undefined
  }

  return {
    slot: () => mark,
    reached(slot) {
      if (slot >= mark) set(slot)
    },
    missed() {
      missedSinceMs ??= clock()
      if (clock() - missedSinceMs >= unreachedMsMax) set(floor)
    },
    atLeast(slot) {
      floor = Math.max(floor, slot)
      if (floor > mark) set(floor)
    },
    goBackTo(slot) {
      if (slot < mark) set(Math.max(slot, floor))
    },
    reset() {
      floor = 0
      set(0)
    },
  }
}
