import type { Address } from '@slipway/schema/address'
import type { LaunchTurn } from './read-launch.ts'

/** Decides which launch is read next. The one that has waited longest comes first, so that none holds up the others. */
export interface Turns {
  add(launches: ReadonlySet<Address>): void
  /** Something has happened to the launch. */
  hint(launch: Address): void
  /** The launch whose turn it is; or how long it takes until there is one. */
  next(): { launch: Address | undefined; waitMs: number }
  /** What came of the turn; undefined if it failed, or the launch's accounts are not known yet. */
  ended(launch: Address, turn: LaunchTurn | undefined): void
}

interface Entry {
  dueMs: number
  pauseMs: number
  /** Since the last turn that succeeded. */
  failures: number
  /** Whether there was a hint since its turn began. */
  isHinted: boolean
  /** How often it is still looked at because of a hint: a node may list a transaction later than it reports its effect. */
  looks: number
}

/** The pause after the first failure is a tenth of the usual one. */
const RETRIES = 10
const LOOKS = 3
const LOOK_MS = 1_000
/** Ten minutes, if the pause starts at ten seconds. */
const PAUSES_MAX = 60

export function createTurns(pauseMsMin: number, now: () => number = () => performance.now()): Turns {
  const entries = new Map<Address, Entry>()

  return {
    add(launches) {
      if (launches.size === entries.size) return
      for (const launch of launches)
        if (!entries.has(launch))
          entries.set(launch, { dueMs: now(), pauseMs: pauseMsMin, failures: 0, isHinted: false, looks: 0 })
    },
    hint(launch) {
      const entry = entries.get(launch)
      if (!entry) return
      entry.dueMs = Math.min(entry.dueMs, now())
      entry.looks = LOOKS
      entry.isHinted = true
      entry.pauseMs = pauseMsMin
    },
    next() {
      let first: [Address, Entry] | undefined
      for (const pair of entries) if (!first || pair[1].dueMs < first[1].dueMs) first = pair
      const waitMs = first ? first[1].dueMs - now() : Number.POSITIVE_INFINITY
      if (!first || waitMs > 0) return { launch: undefined, waitMs }
      first[1].isHinted = false
      return { launch: first[0], waitMs }
    },
    ended(launch, turn) {
      const entry = entries.get(launch)
      if (!entry) return
      entry.failures = turn ? 0 : entry.failures + 1
      if (!turn) {
        const retryMs = (pauseMsMin / RETRIES) * 2 ** Math.min(entry.failures - 1, RETRIES)
        entry.dueMs = now() + Math.min(retryMs, PAUSES_MAX * pauseMsMin)
        return
      }
      const isCalm = !(turn.isNews || turn.isUnsettled)
      entry.pauseMs = isCalm ? Math.min(2 * entry.pauseMs, PAUSES_MAX * pauseMsMin) : pauseMsMin
      if (!entry.isHinted) entry.looks = turn.isNews ? 0 : Math.max(0, entry.looks - 1)
      const waitMs = turn.hasMore || entry.isHinted ? 0 : entry.looks > 0 ? LOOK_MS : entry.pauseMs
      entry.dueMs = now() + waitMs
    },
  }
}
