import { LAG_MS_MAX } from './limits.ts'
import { SLOT_MS_MIN } from './slot-time.ts'

/** What an endpoint shows as its newest block, with the time that the chain gives it. */
export interface Block {
  slot: number
  timeMs: number
}

/** A block that an endpoint showed while every endpoint was below the mark, and when that was. */
export interface Sighting {
  mark: number
  timeMs: number
  seenAtMs: number
}

/**
 * The newest slot of any answer, and when it was seen by this machine's clock. Older answers are refused, so that
 * callers never see an older state after a newer one.
 *
 * The times of blocks are compared only with those of the same endpoint's other blocks, and times of this machine's
 * clock only with each other: the two clocks may be far apart.
 */
export interface SlotMark {
  slot(): number
  /** Whether the slot is so far above the mark, at this slot time, that the endpoint must confirm it with a second answer. */
  isJump(slot: number, slotMs: number): boolean
  /**
   * Whether the chain can have reached the slot by now. This machine's clock decides, which may have stood still in a
   * suspend or been set. The block of an endpoint decides too if it is given: only do so if no other can be asked.
   */
  isPossible(slot: number, block?: Block): boolean
  /** Whether an endpoint that shows this block confirms the slot that another one claims. */
  isShownBy(block: Block, slot: number): boolean
  /** This machine's clock. */
  now(): number
  /**
   * Raises the mark to the slot of an answer. `atMs` is the time of the request, because the machine may have been
   * suspended before it read the answer.
   */
  raise(slot: number, atMs: number): void
  /**
   * No endpoint has reached the mark, and one of them shows this block. Goes back to it if the chain went on for half a
   * minute without reaching the mark, which is then wrong. Returns what to compare the endpoint's next block with.
   */
  compare(block: Block, earlier: Sighting | undefined): Sighting
  /** The chain is known to have reached this slot at that time. */
  atLeast(slot: number, at: Date): void
  /** The answers that raised the mark above this slot came from another cluster. */
  goBackTo(slot: number): void
  /** The network's name now refers to another cluster: all known slots are invalid. */
  reset(): void
}

/** Tolerance for clocks and endpoints that differ: at least as long as an endpoint may lag. */
const SLOTS_SLACK = LAG_MS_MAX / SLOT_MS_MIN
/** A smaller error corrects itself soon, because the chain reaches the mark. */
const JUMP_MS_MAX = 20_000
/** If this machine's clock is further behind the time of the mark, it was set back. */
const CLOCKS_MS_MAX = 30_000
/** The chain's clock has to move on by this much without reaching the mark. */
const UNREACHED_MS_MAX = 30_000
/** The chain's clock may run ahead of this machine's by this much meanwhile. An endpoint that catches up runs faster. */
const DRIFT_MS_MAX = 10_000

export function createSlotMark({ clock = Date.now }: { clock?: () => number } = {}): SlotMark {
  let mark = 0
  let markAtMs = 0

  function set(slot: number, atMs: number) {
    mark = slot
    markAtMs = atMs
  }

  function isPossible(slot: number, block?: Block): boolean {
    const nowMs = clock()
    if (mark === 0) return true
    if (block && block.slot < slot) return false
    // The clock was set back, so the time of the mark says nothing. That the block exists has to do.
    if (block && nowMs < markAtMs - CLOCKS_MS_MAX) return true
    const passedMs = Math.max(0, nowMs - markAtMs, (block?.timeMs ?? 0) - markAtMs)
    return slot <= mark + SLOTS_SLACK + passedMs / SLOT_MS_MIN
  }

  return {
    slot: () => mark,
    isJump: (slot, slotMs) => mark !== 0 && (slot - mark) * slotMs > JUMP_MS_MAX,
    isPossible,
    now: clock,
    raise(slot, atMs) {
      if (slot > mark) set(slot, atMs)
      // The answer to an earlier request may come later.
      else if (slot === mark) markAtMs = Math.max(markAtMs, atMs)
    },
    isShownBy: (block, slot) => block.slot >= slot - SLOTS_SLACK,
    compare({ slot, timeMs }, earlier) {
      const sighting = { mark, timeMs, seenAtMs: clock() }
      if (slot >= mark || earlier?.mark !== mark) return sighting
      const chainMs = timeMs - earlier.timeMs
      const passedMs = sighting.seenAtMs - earlier.seenAtMs
      if (chainMs < 0 || chainMs > passedMs + DRIFT_MS_MAX) return sighting
      if (chainMs > UNREACHED_MS_MAX) set(slot, clock())
      return earlier
    },
    atLeast(slot, at) {
      if (slot > mark && isPossible(slot)) set(slot, at.getTime())
    },
    goBackTo(slot) {
      if (slot < mark) set(slot, clock())
    },
    reset() {
      set(0, 0)
    },
  }
}
