import type { LaunchActivity, LaunchTrades, Network, Slipway } from '@slipway/client'
import { queryOptions } from '@tanstack/react-query'
import type { ChartPoint } from '../../components/draw-chart.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { PERIOD_MS, type Period } from '../../lib/read-series.ts'
import { launchTrades } from '../../trades/read-trades.ts'
import { amountOf } from '../../trades/trade-words.ts'

/** What the service returns at most. */
const TRADES_MAX = 200

/** What a raise had taken in after each deposit and withdrawal, oldest first, in the smallest unit. */
export type RaisedSteps = { ms: number; units: string }[]

/** Null if not all of them are known, or if there are too many. */
export const raisedStepsQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: queryKeys.raisedSteps(network, address),
    queryFn: async ({ signal }) =>
      sumDeposits(await launchTrades(slipway, network, address).readPage({ limit: TRADES_MAX }, signal)),
    staleTime: 30_000,
  })

export function sumDeposits({
  trades,
  next,
  complete,
}: Pick<LaunchTrades, 'trades' | 'next' | 'complete'>): RaisedSteps | null {
  if (!complete || next !== null) return null
  let raised = 0n
  return trades.toReversed().flatMap(trade => {
    if (trade.kind !== 'deposit' && trade.kind !== 'withdraw') return []
    const amount = BigInt(amountOf(trade) || 0)
    raised += trade.kind === 'deposit' ? amount : -amount
    return { ms: Date.parse(trade.time), units: `${raised}` }
  })
}

/**
 * The steps as a line over a period. Undefined unless they lead to what the launch has raised: otherwise some of what it took
 * in is unknown, such as a penalty.
 */
export function toRaisedSeries(
  steps: RaisedSteps | null | undefined,
  {
    raised,
    decimals,
    startMs,
    endMs,
    period,
  }: { raised: string; decimals: number; startMs: number; endMs: number; period: Period },
): ChartPoint[] | undefined {
  const last = steps?.at(-1)
  if (!steps || !last || last.units !== raised) return undefined
  // A chart's clock moves once a minute. What has happened since then counts too.
  const untilMs = Math.max(endMs, last.ms, startMs)
  const fromMs = period === 'all' ? startMs : Math.max(startMs, untilMs - PERIOD_MS[period])
  const points = steps.map(({ ms, units }) => ({ ms, value: Number(units) / 10 ** decimals }))
  const before = points.findLast(({ ms }) => ms <= fromMs)
  const within = points.filter(({ ms }) => ms > fromMs && ms < untilMs)
  const end = points.findLast(({ ms }) => ms <= untilMs)
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
