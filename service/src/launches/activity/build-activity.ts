import type {
  ActivityFigures,
  ActivityInterval,
  LaunchActivity,
  LaunchFigures,
} from '@slipway/schema/activity'
import type { Address } from '@slipway/schema/address'
import { formatPrice } from '../../lib/format-price.ts'
import type { Activity, StoredFigures } from '../../store/activity.ts'
import type { LaunchDetails } from '../../store/event-details.ts'

/** The figures of a launch as they are served. `starts` are the intervals whose ends were read. */
export function buildActivity(
  genesisAddress: Address,
  { quoteMint, quoteDecimals, baseDecimals, goal, creatorWallets, endedAt, current, points }: Activity,
  starts: readonly number[],
): LaunchActivity {
  const toFigures = (state: StoredFigures) => showFigures(state, { quoteDecimals, baseDecimals })
  const endMs = endedAt?.getTime() ?? Number.POSITIVE_INFINITY
  return {
    genesisAddress,
    quoteMint,
    quoteDecimals,
    baseDecimals,
    goal,
    creatorWallets,
    current: current ? toFigures(current) : null,
    endedAt: endedAt?.toISOString() ?? null,
    points: starts.flatMap((startMs, at) => {
      const state = points[at]
      return state && startMs <= endMs ? [{ time: new Date(startMs).toISOString(), ...toFigures(state) }] : []
    }),
  }
}

/** The newest figures of a launch as they are served. */
export function buildFigures(
  genesisAddress: Address,
  { quoteMint, quoteDecimals, baseDecimals, goal, figures }: LaunchDetails,
): LaunchFigures {
  const current = figures ? showFigures(figures, { quoteDecimals, baseDecimals }) : null
  return { genesisAddress, quoteMint, quoteDecimals, baseDecimals, goal, current }
}

/** A state of a launch as it is served. */
export function showFigures(
  { raised, sold, supply, ...state }: StoredFigures,
  { quoteDecimals, baseDecimals }: { quoteDecimals: number | null; baseDecimals: number | null },
): ActivityFigures {
  const { priceQuote, priceBase, progress, participants, creatorFees } = state
  const decimals =
    quoteDecimals === null || baseDecimals === null ? undefined : { quoteDecimals, baseDecimals }
  const price =
    decimals && priceQuote !== null && priceBase !== null
      ? formatPrice({ quote: BigInt(priceQuote), base: BigInt(priceBase) }, decimals)
      : null
  return {
    raised,
    sold,
    supply,
    price,
    progress: progress === null ? null : progress / 1_000_000,
    participants: toCount(participants),
    creatorFees,
  }
}

/** Null if a JSON number can't hold it. No real sale has that many deposits. */
function toCount(text: string | null): number | null {
  const count = Number(text)
  return text !== null && Number.isSafeInteger(count) ? count : null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
export const INTERVAL_MS: Record<ActivityInterval, number> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
}

const POINTS_MAX = 500

/**
 * The starts of the intervals between `fromMs` and `toMs`, in UTC, oldest first. None is in the future. A wider
 * range than 500 intervals yields the last 500.
 */
export function planPoints(
  { interval, fromMs, toMs }: { interval: ActivityInterval; fromMs?: number; toMs?: number },
  nowMs: number,
): number[] {
  const length = INTERVAL_MS[interval]
  const endMs = Math.min(toMs ?? nowMs, nowMs)
  const startMs = Math.max(fromMs ?? endMs - DAY_MS, 0)
  const first = Math.floor(startMs / length)
  // An interval that begins at `to` is not part of the range.
  const last = Math.ceil(endMs / length) - 1
  const count = Math.min(Math.max(last - first + 1, 0), POINTS_MAX)
  return Array.from({ length: count }, (_, at) => (last - count + 1 + at) * length)
}
