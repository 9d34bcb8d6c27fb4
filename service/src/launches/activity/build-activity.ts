import type { ActivityFigures, ActivityInterval, LaunchActivity } from '@slipway/schema/activity'
import type { Address } from '@slipway/schema/address'
import type { Activity } from '../../store/activity.ts'

type StoredFigures = NonNullable<Activity['current']>

/** The figures of a launch as they are served. `starts` are the intervals whose ends were read. */
export function buildActivity(
  genesisAddress: Address,
  { quoteMint, quoteDecimals, baseDecimals, goal, creatorWallets, endedAt, current, points }: Activity,
  starts: readonly number[],
): LaunchActivity {
  const decimals =
    quoteDecimals === null || baseDecimals === null ? undefined : { quoteDecimals, baseDecimals }

  function toFigures({ raised, sold, supply, ...state }: StoredFigures): ActivityFigures {
    const { priceQuote, priceBase, progress, participants, creatorFees } = state
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

/** Null if a JSON number can't hold it: no sale has that many deposits. */
function toCount(text: string | null): number | null {
  const count = Number(text)
  return text !== null && Number.isSafeInteger(count) ? count : null
}

const PRICE_DIGITS = 18

/**
 * A price in quote tokens per whole base token as plain decimal text, rounded down to 18 significant digits; whole digits
 * are never dropped. `quote` and `base` are amounts in the smallest unit, above zero.
 */
export function formatPrice(
  { quote, base }: { quote: bigint; base: bigint },
  { quoteDecimals, baseDecimals }: { quoteDecimals: number; baseDecimals: number },
): string {
  const shift = baseDecimals - quoteDecimals
  const numerator = quote * powerOfTen(shift)
  const denominator = base * powerOfTen(-shift)
  // One digit more or less than wanted, because only the lengths are compared.
  const places = PRICE_DIGITS - (digitsOf(numerator) - digitsOf(denominator))
  if (places <= 0) return `${numerator / denominator}`
  const scaled = (numerator * powerOfTen(places)) / denominator
  const surplus = digitsOf(scaled) - PRICE_DIGITS
  return placePoint(surplus > 0 ? scaled / powerOfTen(surplus) : scaled, places - Math.max(surplus, 0))
}

const powerOfTen = (exponent: number): bigint => (exponent > 0 ? 10n ** BigInt(exponent) : 1n)
const digitsOf = (value: bigint): number => `${value}`.length

function placePoint(value: bigint, places: number): string {
  const digits = `${value}`.padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
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
