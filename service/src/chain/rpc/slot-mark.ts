import { SLOT_MS_MIN } from './slot-time.ts'

/** What an endpoint shows as its newest block, with the time that the chain gives it. */
export interface Block {
  slot: number
  timeMs: number
}

/**
 * The newest slot of any answer, and when it was seen. Older answers are refused, so that callers never see an older
 * state after a newer one.
 *
 * A chain moves on in slots and in time together. That tells an endpoint that is behind, whose newest block is old as
 * well, from a mark that is wrong, above which nothing is ever seen again: then a lower block is newer in time.
 */
export interface SlotMark {
  slot(): number
  /** Whether the slot is so far above the mark that the endpoint has to show it a second time. */
  isJump(slot: number): boolean
  /** Whether the chain can have reached the slot by now, or by the time of a block that the endpoint shows. */
  isPossible(slot: number, block?: Block): boolean
  /** An answer was as of this slot. */
  raise(slot: number): void
  /** No endpoint has reached the mark, and one of them shows this block. Goes back to it if the mark must be wrong. */
  compare(block: Block): void
  /** The chain is known to have reached this slot at that time. */
  atLeast(slot: number, at: Date): void
  /** The answers that raised the mark above this slot came from another cluster. */
  goBackTo(slot: number): void
  /** The network's name now refers to another cluster: all known slots are invalid. */
  reset(): void
}

/** For clocks that differ. */
const SLOTS_SLACK = 1_000
/** A smaller error corrects itself soon, because the chain reaches the mark. */
const SLOTS_PER_ANSWER_MAX = 50
/** The time of a block and this machine's clock may differ by less than this. */
const CLOCKS_MS_MAX = 30_000

export function createSlotMark({ clock = Date.now }: { clock?: () => number } = {}): SlotMark {
  let mark = 0
  let markAtMs = 0

  function set(slot: number, atMs: number) {
    mark = slot
    markAtMs = atMs
  }

  /** By this machine's clock, which may stand still while the machine is suspended, and may be set at any time. */
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
    isJump: slot => mark !== 0 && slot > mark + SLOTS_PER_ANSWER_MAX,
    isPossible,
    raise(slot) {
      if (slot >= mark) set(slot, clock())
    },
    compare({ slot, timeMs }) {
      if (slot < mark && timeMs > markAtMs + CLOCKS_MS_MAX) set(slot, clock())
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
