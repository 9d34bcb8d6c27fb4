import type { Address } from '@slipway/schema/address'
import type { LaunchTurn } from './read-launch.ts'

/** Decides which launch is read next. Within a rank, the launch that has waited longest comes first. */
export interface Turns {
  add(launches: ReadonlySet<Address>): void
  /** Something has happened to the launch. */
  hint(launch: Address): void
  /** The launch whose turn it is, or the time until the next turn. */
  next(): { launch: Address | undefined; waitMs: number }
  /** The turn succeeded. `turn` is undefined if the launch's accounts are not known yet. */
  ended(launch: Address, turn: LaunchTurn | undefined): void
  /** The turn failed. Hints don't make the launch's next turn come earlier. */
  failed(launch: Address, reason: 'refused' | 'failed'): void
  /** How long the launch that has waited longest since a hint has been due. */
  overdueMs(): number
  /** Makes one launch due early, to see whether launches can be read. */
  probe(): void
}

type Rank = 'hinted' | 'unfinished' | 'calm'

interface Entry {
  rank: Rank
  dueMs: number
  pauseMs: number
  /** Since the last turn that succeeded. */
  failures: number
  /** Whether a hint does not shorten the wait. */
  isHeld: boolean
  /** Whether there was a hint since its turn began. */
  isHinted: boolean
  /**
   * The looks that are left after a hint: a node may list a transaction later than it reports the transaction's
   * effect.
   */
  looks: number
}

/** While launches of several ranks are due, they take turns in this order. */
const ORDER: readonly Rank[] = ['hinted', 'unfinished', 'hinted', 'calm']
/** The pause after the first failure is a tenth of the usual one. */
const RETRIES = 10
const LOOKS = 3
const LOOK_MS = 1_000
/** The longest pause, as a multiple of the shortest. The times below are for a shortest pause of ten seconds. */
const PAUSES_MAX = {
  /** Half a minute. */
  failed: 3,
  /** Half a minute: a trade in a pool causes no hint. */
  pool: 3,
  /** Ten minutes. */
  behind: 60,
  /** One hour: every trade on a curve causes a hint. */
  curve: 360,
} as const

export function createTurns(pauseMsMin: number, now: () => number = () => performance.now()): Turns {
  const entries = new Map<Address, Entry>()
  let at = ORDER.length - 1

  function findFirst(rank: Rank): [Address, Entry] | undefined {
    let first: [Address, Entry] | undefined
    for (const pair of entries)
      if (pair[1].rank === rank && (!first || pair[1].dueMs < first[1].dueMs)) first = pair
    return first
  }

  function retry(entry: Entry, retryMs: number, pausesMax: number) {
    const waitMs = retryMs * 2 ** Math.min(entry.failures, RETRIES)
    entry.failures += 1
    entry.dueMs = now() + Math.min(waitMs, pausesMax * pauseMsMin)
  }

  return {
    add(launches) {
      if (launches.size === entries.size) return
      // After a start, active launches don't wait for all the others.
      const rank = entries.size === 0 ? 'calm' : 'hinted'
      const entry = {
        rank,
        pauseMs: pauseMsMin,
        failures: 0,
        isHeld: false,
        isHinted: false,
        looks: 0,
      } as const
      for (const launch of launches) if (!entries.has(launch)) entries.set(launch, { ...entry, dueMs: now() })
    },
    hint(launch) {
      const entry = entries.get(launch)
      if (!entry) return
      if (!entry.isHeld) entry.dueMs = entry.rank === 'hinted' ? Math.min(entry.dueMs, now()) : now()
      entry.rank = 'hinted'
      entry.looks = LOOKS
      entry.isHinted = true
      entry.pauseMs = pauseMsMin
    },
    next() {
      const firsts = {
        hinted: findFirst('hinted'),
        unfinished: findFirst('unfinished'),
        calm: findFirst('calm'),
      }
      for (let step = 1; step <= ORDER.length; step++) {
        const next = (at + step) % ORDER.length
        const first = firsts[ORDER[next] as Rank]
        if (!first || first[1].dueMs > now()) continue
        at = next
        Object.assign(first[1], { isHinted: false, isHeld: false, dueMs: now() })
        return { launch: first[0], waitMs: 0 }
      }
      const dues = Object.values(firsts).flatMap(first => (first ? [first[1].dueMs] : []))
      return { launch: undefined, waitMs: Math.min(...dues) - now() }
    },
    ended(launch, turn) {
      const entry = entries.get(launch)
      if (!entry) return
      if (!turn) return retry(entry, pauseMsMin / RETRIES, PAUSES_MAX.behind)
      entry.failures = 0
      const isCalm = !(turn.isNews || turn.isUnsettled)
      const pausesMax = PAUSES_MAX[turn.hasPool ? 'pool' : turn.isBehind ? 'behind' : 'curve']
      entry.pauseMs = isCalm ? Math.min(2 * entry.pauseMs, pausesMax * pauseMsMin) : pauseMsMin
      if (!entry.isHinted) entry.looks = turn.isNews ? 0 : Math.max(0, entry.looks - 1)
      const isLooking = entry.looks > 0 || turn.isLate
      entry.rank = entry.isHinted || isLooking ? 'hinted' : turn.hasMore ? 'unfinished' : 'calm'
      const waitMs = turn.hasMore || entry.isHinted ? 0 : isLooking ? LOOK_MS : entry.pauseMs
      entry.dueMs = now() + waitMs
    },
    failed(launch, reason) {
      const entry = entries.get(launch)
      if (!entry) return
      retry(entry, reason === 'refused' ? pauseMsMin : pauseMsMin / RETRIES, PAUSES_MAX.failed)
      entry.isHeld = true
    },
    overdueMs() {
      const dueMs = findFirst('hinted')?.[1].dueMs ?? Number.POSITIVE_INFINITY
      return Math.max(0, now() - dueMs)
    },
    probe() {
      // A launch that keeps failing says little about the others.
      let first: Entry | undefined
      for (const entry of entries.values())
        if (entry.failures === 0 && (!first || entry.dueMs < first.dueMs)) first = entry
      if (first) first.dueMs = Math.min(first.dueMs, now())
    },
  }
}
