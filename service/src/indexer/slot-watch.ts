import { LAG_MS_MAX } from '../chain/rpc/limits.ts'

/** Tracks which slots the subscription has reported, and when each slot was the newest. */
export interface SlotWatch {
  /** True if the parent slot should have been reported before and was not. */
  report(slot: number, parent: number): boolean
  hasReported(): boolean
  /** A new subscription: earlier reports say nothing about it. */
  restart(): void
  /**
   * The chain has reached this slot. Returns the slot that it had reached a while ago, whose changes have all been
   * reported by now.
   */
  settle(slot: number): { slot: number }
  /** How far the reported slots are from this one, if that is too far: the node lags, or follows another chain. */
  distance(slot: number): number | undefined
  newest(): number
  /** When the slot was the newest, as far back as is remembered. */
  timeOf(slot: number): Date
}

const REMEMBERED = 600
const SETTLED_MS = 800
/** A subscription that is further ahead of every endpoint follows another chain. */
const AHEAD_MS_MAX = 60_000

export function createSlotWatch({
  slotMs,
  clock = Date.now,
}: {
  slotMs(): number
  clock?: () => number
}): SlotWatch {
  let seen = new Set<number>()
  let newestReported: number | undefined
  let first: number | undefined
  let marks: { slot: number; atMs: number }[] = []

  return {
    report(slot, parent) {
      const isMissed = first !== undefined && parent > first && !seen.has(parent)
      first ??= slot
      seen.add(slot)
      newestReported = Math.max(newestReported ?? 0, slot)
      if (seen.size > 2 * REMEMBERED) seen = new Set([...seen].slice(-REMEMBERED))
      return isMissed
    },
    hasReported: () => newestReported !== undefined,
    restart() {
      seen = new Set()
      newestReported = undefined
      first = undefined
    },
    settle(slot) {
      const nowMs = clock()
      // A slot above the present one was reported by mistake.
      marks = marks.filter(mark => mark.slot <= slot)
      if (slot > (marks.at(-1)?.slot ?? -1)) marks.push({ slot, atMs: nowMs })
      if (marks.length > REMEMBERED) marks = marks.slice(-REMEMBERED / 2)
      return marks.findLast(({ atMs }) => nowMs - atMs >= SETTLED_MS) ?? { slot: 0 }
    },
    distance(slot) {
      if (newestReported === undefined) return undefined
      const ahead = newestReported - slot
      const aheadMs = ahead * slotMs()
      return aheadMs < -LAG_MS_MAX || aheadMs > AHEAD_MS_MAX ? Math.abs(ahead) : undefined
    },
    newest() {
      const confirmed = marks.at(-1)?.slot ?? 0
      const isNear = confirmed === 0 || ((newestReported ?? 0) - confirmed) * slotMs() <= AHEAD_MS_MAX
      return Math.max(confirmed, isNear ? (newestReported ?? 0) : 0)
    },
    timeOf(slot) {
      const next = marks.find(mark => mark.slot >= slot)
      return new Date(next?.atMs ?? clock())
    },
  }
}

/**
 * Whether an answer as of `slot` is too old to show a change that was reported at `reported`. A report from far in the
 * future comes from another chain, and its slot says nothing.
 */
export const isBehind = (slot: number, reported: number, slotMs: number) =>
  reported > slot && (reported - slot) * slotMs <= AHEAD_MS_MAX
