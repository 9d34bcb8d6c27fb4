import type { LaunchActivity, LaunchTrades, Network, Slipway } from '@slipway/client'
import { queryOptions } from '@tanstack/react-query'
import type { ChartPoint } from '../../components/plot.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { PERIOD_MS, type Period } from '../../lib/read-series.ts'
import { launchTrades, TRADES_MAX } from '../../trades/read-trades.ts'
import { amountOf } from '../../trades/trade-words.ts'

/** What a wallet paid into a raise or got back, in the smallest unit. */
interface Movement {
  kind: 'deposit' | 'withdraw' | 'refund'
  ms: number
  units: string
}

/** All movements of a raise, oldest first. Null if some are not known, or if there are too many for one answer. */
export const movementsQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: queryKeys.movements(network, address),
    queryFn: async ({ signal }) =>
      toMovements(await launchTrades(slipway, network, address).readPage({ limit: TRADES_MAX }, signal)),
    staleTime: 30_000,
  })

export function toMovements({
  trades,
  next,
  complete,
}: Pick<LaunchTrades, 'trades' | 'next' | 'complete'>): Movement[] | null {
  if (!complete || next !== null) return null
  return trades.toReversed().flatMap(trade => {
    const { kind } = trade
    if (kind !== 'deposit' && kind !== 'withdraw' && kind !== 'refund') return []
    return { kind, ms: Date.parse(trade.time), units: amountOf(trade) || '0' }
  })
}

/**
 * What had been raised, over a period. Undefined unless the movements add up to what the launch has raised. If they
 * don't, some are unknown, such as a penalty.
 */
export function toRaisedSeries(
  movements: readonly Movement[] | null | undefined,
  {
    raised,
    decimals,
    startMs,
    endMs,
    period,
  }: { raised: string; decimals: number; startMs: number; endMs: number; period: Period },
): ChartPoint[] | undefined {
  let sum = 0n
  const steps = (movements ?? []).flatMap(({ kind, ms, units }) => {
    if (kind === 'refund') return []
    sum += kind === 'deposit' ? BigInt(units) : -BigInt(units)
    return { ms, value: Number(sum) / 10 ** decimals }
  })
  const last = steps.at(-1)
  if (!last || `${sum}` !== raised) return undefined
  // A chart's clock moves once a minute. What has happened since then counts too.
  const untilMs = Math.max(endMs, last.ms, startMs)
  const fromMs = period === 'all' ? startMs : Math.max(startMs, untilMs - PERIOD_MS[period])
  const before = steps.findLast(({ ms }) => ms <= fromMs)
  const within = steps.filter(({ ms }) => ms > fromMs && ms < untilMs)
  const end = steps.findLast(({ ms }) => ms <= untilMs)
  return [
    { ms: fromMs, value: before?.value ?? 0 },
    ...within,
    { ms: untilMs, value: end?.value ?? before?.value ?? 0 },
  ]
}

/** Less than this is no movement that a chart can show. */
const STEADY_SHARE = 0.001

const isAbout = (values: readonly number[]): boolean => {
  const high = Math.max(...values)
  return values.length === 0 || high - Math.min(...values) <= high * STEADY_SHARE
}

/** Whether a chart begins with all the time: the last day has no figures, or they hardly moved. */
export const showsAllTime = (day: LaunchActivity | undefined): boolean =>
  day !== undefined && ((day.current !== null && day.endedAt !== null) || isQuiet(day))

/** Whether hardly anything has changed in the period. */
const isQuiet = (activity: LaunchActivity | undefined): boolean => {
  const points = activity?.points ?? []
  return (
    points.length > 0 &&
    isAbout(points.map(({ raised }) => Number(raised))) &&
    isAbout(points.flatMap(({ price }) => (price === null ? [] : Number(price))))
  )
}

/** A line that hardly moves says nothing that its one value doesn't. */
export const isSteady = (points: readonly ChartPoint[]): boolean => isAbout(points.map(({ value }) => value))
