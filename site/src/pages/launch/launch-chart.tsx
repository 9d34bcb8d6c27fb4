import type { LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Chart } from '../../components/chart.tsx'
import type { ChartPoint } from '../../components/draw-chart.ts'
import { PanelBoundary } from '../../components/failure.tsx'
import { Notice } from '../../components/notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Time } from '../../components/time.tsx'
import { formatNumber, formatPrice, quoteSymbol } from '../../lib/format.ts'
import { figureValue, isRaise, seriesOf } from '../../lib/launches.ts'
import { createPart, usePart } from '../../lib/load-part.ts'
import { useNow } from '../../lib/now.ts'
import { activityQuery } from '../../lib/queries.ts'
import { PERIOD_MS, type Period } from '../../lib/read-series.ts'
import { useSite } from '../../lib/site-context.ts'
import type { CandleChart } from './candles/candle-chart.tsx'
import styles from './launch.module.css'
import { isSteady, raisedStepsQuery, showsAllTime, toRaisedSeries } from './raised-series.ts'

const PERIODS: { value: Period; text: string }[] = [
  { value: 'day', text: '24 h' },
  { value: 'week', text: '7 d' },
  { value: 'all', text: 'All' },
]
type View = 'raised' | 'price' | 'candles'
const VIEWS: { value: View; text: string }[] = [
  { value: 'raised', text: 'Raised' },
  { value: 'price', text: 'Price' },
  { value: 'candles', text: 'Candles' },
]

const candles = createPart(() => import('./candles/candle-chart.tsx'))

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
  const [view, setView] = useState<View>(
    isRaise(launch.mechanic) && status !== 'graduated' ? 'raised' : 'price',
  )
  const startMs = Date.parse(launch.startTime)
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
  const { data: steps } = useQuery({
    ...raisedStepsQuery(slipway, network, launch.genesisAddress),
    enabled: isRaise(launch.mechanic),
  })
  const hasPrice = data?.points.some(({ price }) => price !== null) ?? false
  // Deposits have no price of their own.
  const isTraded = !isRaise(launch.mechanic) || (status === 'graduated' && !hasEnded)
  const offered: Record<View, boolean> = { raised: true, price: hasPrice && !hasEnded, candles: isTraded }
  const views = VIEWS.filter(({ value }) => offered[value])
  const shown = offered[view] ? view : 'raised'
  const nowMs = useNow('minute')
  const figure = shown === 'raised' ? 'raised' : 'price'
  // Deposits are known to the second, and from the start. What was recorded begins when the launch was registered.
  const deposits = useMemo(
    () =>
      data?.current && shown === 'raised'
        ? toRaisedSeries(steps, {
            raised: data.current.raised,
            decimals: data.quoteDecimals ?? 0,
            ...{ startMs, period },
            endMs: Math.min(nowMs, Date.parse(launch.endTime)),
          })
        : undefined,
    [data, shown, steps, startMs, period, nowMs, launch.endTime],
  )
  const recorded = useMemo(() => (data ? seriesOf(data, figure, nowMs) : []), [data, figure, nowMs])
  const points = deposits ?? recorded
  const current = data?.current ? figureValue(data.current, figure, data.quoteDecimals) : Number.NaN
  const symbol = quoteSymbol(data?.quoteMint ?? '')
  const format = shown === 'raised' ? formatNumber : formatPrice
  return (
    <Panel
      title={shown === 'raised' ? 'Raised' : 'Price'}
      aside={
        <div className={styles.choices}>
          {views.length > 1 && <Tabs label="Figure" choices={views} current={shown} onChoose={setView} />}
          {!hasEnded && <Tabs label="Period" choices={PERIODS} current={period} onChoose={setPeriod} />}
        </div>
      }
    >
      {data && shown === 'candles' ? (
        <PanelBoundary>
          <Candles data={detail} {...{ network, period }} quoteMint={data.quoteMint ?? ''} />
        </PanelBoundary>
      ) : Number.isFinite(current) && isSteady(points) ? (
        <Steady
          figure={`${format(current)} ${symbol}`}
          sinceMs={points[0]?.ms}
          isExact={points.every(({ value }) => value === points[0]?.value)}
          hasEnded={hasEnded}
        />
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
        <div className={styles.chartSpace} role="status" aria-label="Loading the chart">
          <Skeleton shape="chart" />
        </div>
      )}
    </Panel>
  )
}

function Candles(props: Parameters<typeof CandleChart>[0]) {
  const loaded = usePart(candles)
  if (loaded) return <loaded.CandleChart {...props} />
  return <div className={styles.chartSpace} role="status" aria-label="Loading the chart" />
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

/** A line that hardly moves is one figure. */
function Steady({
  figure,
  sinceMs,
  isExact,
  hasEnded,
}: {
  figure: string
  sinceMs: number | undefined
  isExact: boolean
  /** Whether the launch has graduated without a pool. */
  hasEnded: boolean
}) {
  return (
    <div className={styles.steady}>
      <b>{figure}</b>
      <span>
        {hasEnded ? (
          'The launch has graduated without a liquidity pool, so there is no price to follow.'
        ) : sinceMs === undefined ? (
          'The line starts with the first change.'
        ) : (
          <>
            {isExact ? 'Unchanged since ' : 'Moved by less than 0.1% since '}
            <Time at={new Date(sinceMs).toISOString()} />
          </>
        )}
      </span>
    </div>
  )
}
