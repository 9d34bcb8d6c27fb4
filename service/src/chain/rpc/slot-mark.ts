/**
 * The newest slot of any answer. Older answers are refused, so that callers never see an older state after a newer
 * one.
 */
export interface SlotMark {
  slot(): number
  /** Whether the slot is so far above the mark that the answer needs proof before it may raise the mark. */
  isJump(slot: number): boolean
  /** An answer was as of this slot. Returns false if the chain can't have reached it yet; the answer is then wrong. */
  reached(slot: number): boolean
  /** A call failed because no endpoint has reached the mark. */
  missed(): void
  /** The chain is known to have reached this slot at that time. The mark never falls below it. */
  atLeast(slot: number, at: Date): void
  /** The answers that raised the mark above this slot came from another cluster. */
  goBackTo(slot: number): void
  /** The network's name now refers to another cluster: all known slots are invalid. */
  reset(): void
}

/** By then, every working endpoint has reached the mark: a chain makes 150 slots in a minute. */
const UNREACHED_MS_MAX = 60_000
/** A slot takes 400 ms. These allow for faster ones, and for clocks that differ. */
const SLOT_MS_MIN = 250
const SLOTS_SLACK = 1_000
/** About twenty seconds. A smaller error corrects itself in that time, because the chain reaches the mark. */
const SLOTS_PER_ANSWER_MAX = 50

/**
 * A mark that no endpoint reaches for a minute is a mistake, for instance the first answer after a start. It then falls
 * back to the slot that the index has confirmed. Without this, one wrong slot would stop the service until a restart.
 */
export function createSlotMark({
  unreachedMsMax = UNREACHED_MS_MAX,
  clock = Date.now,
}: {
  unreachedMsMax?: number
  clock?: () => number
} = {}): SlotMark {
  let mark = 0
  let markAtMs = 0
  let floor = 0
  let floorAtMs = 0
  let missedSinceMs: number | undefined

  function set(slot: number, atMs: number) {
    mark = slot
    markAtMs = atMs
    missedSinceMs = undefined
  }

  const isPossible = (slot: number) =>
    mark === 0 || slot <= mark + SLOTS_SLACK + Math.max(0, clock() - markAtMs) / SLOT_MS_MIN

  return {
    slot: () => mark,
    isJump: slot => mark !== 0 && slot > mark + SLOTS_PER_ANSWER_MAX,
    reached(slot) {
      if (!isPossible(slot)) return false
      if (slot >= mark) set(slot, clock())
      return true
    },
    missed() {
      missedSinceMs ??= clock()
      if (clock() - missedSinceMs >= unreachedMsMax) set(floor, floorAtMs)
    },
    atLeast(slot, at) {
      if (slot <= floor || !isPossible(slot)) return
      floor = slot
      floorAtMs = at.getTime()
      if (floor > mark) set(floor, floorAtMs)
    },
    goBackTo(slot) {
      if (slot >= mark) return
      if (slot > floor) set(slot, clock())
      else set(floor, floorAtMs)
    },
    reset() {
      floor = 0
      set(0, 0)
    },
  }
}
