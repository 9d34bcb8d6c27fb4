import type { LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Chart } from '../../components/chart.tsx'
import { Tabs } from '../../components/choices.tsx'
import { PanelBoundary } from '../../components/failure.tsx'
import { Price, Time } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { Notice, Skeleton } from '../../components/notice.tsx'
import type { ChartPoint } from '../../components/plot.ts'
import { formatNumber, formatPrice, quoteSymbol } from '../../lib/format.ts'
import { figuresOf, figureValue, isRaise, seriesOf } from '../../lib/launches.ts'
import { createPart, usePart } from '../../lib/load-part.ts'
import { useIsHydrated, useNow } from '../../lib/now.ts'
import { activityQuery } from '../../lib/queries.ts'
import { PERIOD_MS, type Period } from '../../lib/read-series.ts'
import { useSite } from '../../lib/site-context.ts'
import { launchTrades, tradesQuery } from '../../trades/read-trades.ts'
import type { CandleChart } from './candle-chart.tsx'
import { CURVE_TITLE, CurvePicture, CurveSpace, useCurve } from './curve.tsx'
import styles from './launch.module.css'
import { isSteady, movementsQuery, showsAllTime, toRaisedSeries } from './raised-series.ts'

const PERIODS: { value: Period; text: string }[] = [
  { value: 'day', text: '24 h' },
  { value: 'week', text: '7 d' },
  { value: 'all', text: 'All' },
]
/** A launch that is younger has nothing more in this period than in a shorter one. */
const LEAST_AGE_MS: Record<Period, number> = {
  day: PERIOD_MS.day,
  week: PERIOD_MS.week,
  all: PERIOD_MS.day,
}
type View = 'raised' | 'price' | 'curve' | 'candles'
const VIEWS: { value: View; text: string; title: string }[] = [
  { value: 'raised', text: 'Raised', title: 'Raised' },
  { value: 'price', text: 'Price', title: 'Price' },
  { value: 'curve', text: 'Curve', title: CURVE_TITLE },
  { value: 'candles', text: 'Candles', title: 'Price' },
]

const candles = createPart(() => import('./candle-chart.tsx'))

/** What was raised and what a token cost, over time. */
export function LaunchChart({
  data: detail,
  status,
  network,
}: {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
}) {
  const { slipway } = useSite()
  const { launch, baseToken } = detail
  const [chosen, setPeriod] = useState<Period>()
  const [view, setView] = useState<View>()
  const startMs = Date.parse(launch.startTime)
  const graduatedMs = launch.graduatedAt === null ? undefined : Date.parse(launch.graduatedAt)
  const readPeriod = (period: Period) =>
    activityQuery(slipway, network, launch.genesisAddress, period, startMs)
  const day = useQuery(readPeriod('day'))
  const hasEnded = day.data !== undefined && day.data.current !== null && day.data.endedAt !== null
  const period = chosen ?? (showsAllTime(day.data) ? 'all' : 'day')
  const activity = useQuery({
    ...readPeriod(period),
    placeholderData: keepPreviousData,
  })
  const { data } = activity
  const whole = useQuery({ ...readPeriod('all'), enabled: showsAllTime(day.data) })
  const { data: movements } = useQuery({
    ...movementsQuery(slipway, network, launch.genesisAddress),
    enabled: isRaise(launch.mechanic),
  })
  const nowMs = useNow('minute')
  const { shape, isLoading } = useCurve(detail, network, figuresOf(day.data))
  // Deposits have no price of their own.
  const isTraded = !isRaise(launch.mechanic) || (status === 'graduated' && !hasEnded)
  const hasTrades = useHasTrades(detail, network, isTraded)
  const isUnknown = !data?.current
  const moves = (figure: 'raised' | 'price') =>
    isUnknown || [day.data, whole.data].some(known => known && !isSteady(seriesOf(known, figure, nowMs)))
  const hasPrice = data?.points.some(({ price }) => price !== null) ?? false
  // What hardly moves is not worth a choice.
  const offered: Record<View, boolean> = {
    raised: !isTraded || (!isUnknown && (moves('raised') || (movements?.length ?? 0) > 1)),
    price: isUnknown ? isTraded : hasPrice && !hasEnded && moves('price'),
    curve: shape !== undefined,
    candles: isTraded && (moves('price') || hasTrades === true),
  }
  const views = VIEWS.filter(({ value }) => offered[value])
  // Until its figures are known, nothing else is worth a look.
  const known: View[] = isUnknown ? ['price'] : ['price', 'curve', 'raised', 'candles']
  const first: View[] = isTraded ? known : ['raised']
  const shown = [view, ...first].find(each => each && offered[each]) ?? first[0] ?? 'price'
  const figure = shown === 'raised' ? 'raised' : 'price'
  // Deposits are known to the second, and from the start. What was recorded begins when the launch was registered.
  const deposits = useMemo(
    () =>
      data?.current && shown === 'raised'
        ? toRaisedSeries(movements, {
            raised: data.current.raised,
            decimals: data.quoteDecimals ?? 0,
            ...{ startMs, period },
            endMs: Math.min(nowMs, Date.parse(launch.endTime)),
          })
        : undefined,
    [data, shown, movements, startMs, period, nowMs, launch.endTime],
  )
  const recorded = useMemo(() => (data ? seriesOf(data, figure, nowMs) : []), [data, figure, nowMs])
  const points = deposits ?? recorded
  const current = data?.current ? figureValue(data.current, figure, data.quoteDecimals) : Number.NaN
  const symbol = quoteSymbol(data?.quoteMint ?? '')
  const format = shown === 'raised' ? formatNumber : formatPrice
  const isStill = !isUnknown && isSteady(points)
  const isExact = points.every(({ value }) => value === points[0]?.value)
  const lastMovement = movements?.findLast(({ kind }) => kind !== 'refund')
  // A recorded point begins a period, and its figure may be from any time within it.
  const recordedMs = points.length > 2 ? points[1]?.ms : undefined
  const sinceMs = deposits ? (isExact ? lastMovement : points[0])?.ms : recordedMs
  const periods = PERIODS.filter(({ value }) => isUnknown || nowMs - startMs > LEAST_AGE_MS[value])
  // The head says what was raised, and the facts what a token costs. A line that never moves adds nothing to them.
  const isIdle = shown === figure && isStill && !moves(figure) && views.length <= 1
  const isAwaited = isLoading || (isTraded && hasTrades === undefined)
  const isSettled = !isUnknown && !isAwaited
  // A price that moves is also shown as a number. The head already shows what was raised.
  const isPrice = shown === 'candles' || (shown === 'price' && !isSteady(points))
  const isMoving = isPrice && !hasEnded && Number.isFinite(current)
  // What people look at stays, even if a trade adds other views.
  useEffect(() => {
    if (isSettled) setView(current => current ?? shown)
  }, [isSettled, shown])
  if (isIdle && !isAwaited) return null
  const hasPeriods = periods.length > 1 && !hasEnded && shown !== 'curve' && (!isStill || moves(figure))
  return (
    <Panel
      title={VIEWS.find(({ value }) => value === shown)?.title ?? ''}
      aside={
        <div className="wrap gap-2">
          {views.length > 1 && <Tabs label="Figure" choices={views} current={shown} onChoose={setView} />}
          {hasPeriods && <Tabs label="Period" choices={periods} current={period} onChoose={setPeriod} />}
        </div>
      }
    >
      {isMoving && (
        <p className={styles.steady}>
          <b>
            <Price price={current} symbol={symbol} />
          </b>
        </p>
      )}
      {shown === 'curve' && shape ? (
        <CurvePicture shape={shape} symbol={symbol} />
      ) : data && shown === 'candles' ? (
        <PanelBoundary>
          <Candles data={detail} {...{ network, period }} price={current} quoteMint={data.quoteMint ?? ''} />
        </PanelBoundary>
      ) : isStill && isLoading ? (
        <CurveSpace />
      ) : isIdle ? (
        <LoadingChart />
      ) : Number.isFinite(current) && isSteady(points) ? (
        <Steady sinceMs={sinceMs} isExact={isExact}>
          {shown === 'price' ? <Price price={current} symbol={symbol} /> : `${format(current)} ${symbol}`}
        </Steady>
      ) : data && points.length < 2 ? (
        <Notice level={3} title="Reading the launch">
          Its first figures appear in a few seconds.
        </Notice>
      ) : data ? (
        <>
          <Chart
            points={points}
            label={shown === 'raised' ? 'Raised' : `Price of one ${baseToken.symbol || 'token'}`}
            unit={symbol}
            isStepped
            isFromZero={shown === 'raised'}
            mark={graduatedMs === undefined ? undefined : { ms: graduatedMs, name: 'Graduated' }}
            format={format}
          />
          {!deposits && startsLate(points, launch.startTime, period, nowMs) && (
            <p className={styles.explanation}>
              Recorded since <Time at={new Date(points[0]?.ms ?? 0).toISOString()} />
            </p>
          )}
        </>
      ) : activity.isError ? (
        <Notice kind="error" level={3} title="No figures right now">
          They could not be loaded. Everything else on this page is current.
        </Notice>
      ) : (
        <LoadingChart />
      )}
    </Panel>
  )
}

/** Whether anyone has bought or sold; undefined while that is not known. The list below the chart asks the same. */
function useHasTrades({ launch }: LaunchDetail, network: Network, isTraded: boolean): boolean | undefined {
  const { slipway } = useSite()
  const { data, isError } = useQuery({
    ...tradesQuery(launchTrades(slipway, network, launch.genesisAddress)),
    enabled: useIsHydrated() && isTraded,
  })
  return isError ? false : data?.trades.some(({ kind }) => kind === 'buy' || kind === 'sell')
}

const LoadingChart = () => (
  <div className={styles.chartSpace} role="status" aria-label="Loading the chart">
    <Skeleton shape="chart" unscripted="The chart needs JavaScript." />
  </div>
)

function Candles(props: Parameters<typeof CandleChart>[0]) {
  const loaded = usePart(candles)
  if (loaded) return <loaded.CandleChart {...props} />
  return <LoadingChart />
}

const LATE_MS_MIN = 2 * 60_000

/** Whether the record begins later than the period and the launch do, by more than the distance between two points. */
function startsLate(
  points: readonly ChartPoint[],
  startTime: string,
  period: Period,
  nowMs: number,
): boolean {
  const [first, second] = points
  if (!first || !second) return false
  const periodMs = period === 'all' ? 0 : nowMs - PERIOD_MS[period]
  const lateMs = first.ms - Math.max(Date.parse(startTime), periodMs)
  return lateMs > Math.max(LATE_MS_MIN, 1.5 * (second.ms - first.ms))
}

/** A line that hardly moves in this period is one figure. */
const Steady = ({
  sinceMs,
  isExact,
  children,
}: {
  sinceMs: number | undefined
  isExact: boolean
  children: ReactNode
}) => (
  <div className={styles.steady}>
    <b>{children}</b>
    {sinceMs !== undefined && (
      <span>
        {isExact ? 'Unchanged since ' : 'Moved by less than 0.1% since '}
        <Time at={new Date(sinceMs).toISOString()} />
      </span>
    )}
  </div>
)
