import type { LaunchActivity, LaunchTrades, Network, Slipway } from '@slipway/client'
import { queryOptions } from '@tanstack/react-query'
import type { ChartPoint } from '../../components/draw-chart.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { PERIOD_MS, type Period } from '../../lib/read-series.ts'
import { launchTrades } from '../../trades/read-trades.ts'

/** What the service returns at most. */
const TRADES_MAX = 200

/** What the trades of a launch say about its past, oldest first. */
interface TradeSteps {
  /** Whether these are all of them. Some may be unknown, or there may be too many. */
  areAll: boolean
  /** What a raise had taken in after each deposit and withdrawal, in the smallest unit. */
  raised: { ms: number; units: string }[]
  /** What a token cost in each trade. */
  prices: ChartPoint[]
}

export const tradeStepsQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: queryKeys.tradeSteps(network, address),
    queryFn: async ({ signal }) =>
      toSteps(await launchTrades(slipway, network, address).readPage({ limit: TRADES_MAX }, signal)),
    staleTime: 30_000,
  })

export function toSteps({
  trades,
  next,
  complete,
}: Pick<LaunchTrades, 'trades' | 'next' | 'complete'>): TradeSteps {
  const steps: TradeSteps = { areAll: complete && next === null, raised: [], prices: [] }
  let raised = 0n
  for (const { kind, time, quoteAmount, protocolFee, price } of trades.toReversed()) {
    const ms = Date.parse(time)
    if (price !== null) steps.prices.push({ ms, value: Number(price) })
    if (kind !== 'deposit' && kind !== 'withdraw') continue
    // A deposit counts without its fee. A withdrawal's fee has left the deposit with it.
    const [amount, fee] = [BigInt(quoteAmount || 0), BigInt(protocolFee || 0)]
    raised += kind === 'deposit' ? amount - fee : -(amount + fee)
    steps.raised.push({ ms, units: `${raised}` })
  }
  return steps
}

interface Span {
  startMs: number
  endMs: number
  period: Period
}

/**
 * What was raised as a line over a period. Undefined unless the steps lead to what the launch has raised: otherwise
 * some of what it took in is unknown, such as a penalty.
 */
export function toRaisedSeries(
  steps: TradeSteps | undefined,
  { raised, decimals, ...span }: Span & { raised: string; decimals: number },
): ChartPoint[] | undefined {
  const last = steps?.raised.at(-1)
  if (!steps?.areAll || !last || last.units !== raised) return undefined
  const points = steps.raised.map(({ ms, units }) => ({ ms, value: Number(units) / 10 ** decimals }))
  return cut([{ ms: span.startMs, value: 0 }, ...points], span)
}

/** The price as a line over a period. After the last trade or, if that was later, in its new pool, it is the current one. */
export function toPriceSeries(
  steps: TradeSteps | undefined,
  { price, graduatedMs, ...span }: Span & { price: number; graduatedMs: number | undefined },
): ChartPoint[] | undefined {
  const last = steps?.prices.at(-1)
  if (!steps?.areAll || !last || !Number.isFinite(price)) return undefined
  const points =
    graduatedMs !== undefined && graduatedMs > last.ms
      ? [...steps.prices, { ms: graduatedMs, value: price }]
      : [...steps.prices.slice(0, -1), { ms: last.ms, value: price }]
  return cut(points, span)
}

/** The part of a line within a period. It begins with what was so before. */
function cut(points: readonly ChartPoint[], { startMs, endMs, period }: Span): ChartPoint[] {
  // A chart's clock moves once a minute. What has happened since then counts too.
  const untilMs = Math.max(endMs, points.at(-1)?.ms ?? 0)
  const fromMs = period === 'all' ? startMs : Math.max(startMs, untilMs - PERIOD_MS[period])
  const within = points.filter(({ ms }) => ms > fromMs && ms < untilMs)
  const ends = [fromMs, untilMs].map(end =>
    points.filter(({ ms }) => ms <= end).map(({ value }) => ({ ms: end, value })),
  )
  const [before = [], until = []] = ends
  return [...before.slice(-1), ...within, ...until.slice(-1)]
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
