/** Which slots were told, and when each was the newest. */
export interface SlotWatch {
  /** True when the slot that it was made on was not told, though it should have been. */
  told(slot: number, parent: number): boolean
  /** A new subscription: what was told before it says nothing. */
  restart(): void
  /** The chain has come to this slot. Returns the one that it had come to a while ago: all of its changes are told by now. */
  settle(slot: number): { slot: number }
  /** The subscribed node's slots are not those of the endpoints: it lags, or follows another chain. */
  isElsewhere(slot: number): boolean
  newest(): number
  /** When the slot was the newest; as far back as is remembered. */
  timeOf(slot: number): Date
}

const REMEMBERED = 600
const SETTLED_MS = 800
/** Some twenty seconds. */
const SLOTS_BEHIND_MAX = 50

export function createSlotWatch({ clock = Date.now }: { clock?: () => number } = {}): SlotWatch {
  let seen = new Set<number>()
  let newestTold: number | undefined
  let first: number | undefined
  let marks: { slot: number; atMs: number }[] = []

  return {
    told(slot, parent) {
      const isMissed = first !== undefined && parent > first && !seen.has(parent)
      first ??= slot
      seen.add(slot)
      newestTold = Math.max(newestTold ?? 0, slot)
      if (seen.size > 2 * REMEMBERED) seen = new Set([...seen].slice(-REMEMBERED))
      return isMissed
    },
    restart() {
      seen = new Set()
      newestTold = undefined
      first = undefined
    },
    settle(slot) {
      const nowMs = clock()
      // A slot above the present one was a mistake.
      marks = marks.filter(mark => mark.slot <= slot)
      if (slot > (marks.at(-1)?.slot ?? -1)) marks.push({ slot, atMs: nowMs })
      if (marks.length > REMEMBERED) marks = marks.slice(-REMEMBERED / 2)
      return marks.findLast(({ atMs }) => nowMs - atMs >= SETTLED_MS) ?? { slot: 0 }
    },
    isElsewhere: slot =>
      newestTold !== undefined &&
      (newestTold < slot - SLOTS_BEHIND_MAX || newestTold > slot + SLOTS_AHEAD_MAX),
    newest: () => Math.max(newestTold ?? 0, marks.at(-1)?.slot ?? 0),
    timeOf(slot) {
      const next = marks.find(mark => mark.slot >= slot)
      return new Date(next?.atMs ?? clock())
    },
  }
}

/** About a minute. A subscription that is further ahead of every endpoint follows another chain: its slots say nothing. */
const SLOTS_AHEAD_MAX = 150

/** Whether an answer as of `slot` is too old to show what a subscription reported at `told`. */
export const isBehind = (slot: number, told: number) => told > slot && told - slot <= SLOTS_AHEAD_MAX
