import type { LaunchActivity, LaunchData, LaunchStatus, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { Amount } from '../../components/amount.tsx'
import { Progress } from '../../components/progress.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Sparkline } from '../../components/sparkline.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Countdown, TimeAgo } from '../../components/time.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatNumber, isEndless, mechanicName, quoteSymbol } from '../../lib/format.ts'
import { figuresOf, goalOf, isRaise, launchHref, statusAt, titleOf } from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { activityQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './launch-row.module.css'

export function LaunchRow({ data, network }: { data: LaunchData; network: Network }) {
  const { settings } = useSite()
  const { launch, baseToken } = data
  // Only a row that is about to change looks at every second.
  const status = statusAt(data, useNow(statusAt(data, useNow('minute')) === 'upcoming' ? 'second' : 'minute'))
  const activity = useRowActivity(network, launch.genesisAddress, status)
  return (
    <Link href={launchHref(launch.genesisAddress, network, settings.networks)} className={styles.row}>
      <TokenPicture image={baseToken.image} name={titleOf(data)} address={launch.genesisAddress} size={44} />
      <span className={styles.who}>
        <span className={styles.name}>
          <bdi>{titleOf(data)}</bdi>
        </span>
        <span className={styles.kind}>
          <bdi className={styles.symbol}>{baseToken.symbol}</bdi> {mechanicName(launch.mechanic)}
          {baseToken.description && <bdi className={styles.description}>{baseToken.description}</bdi>}
        </span>
      </span>
      <span className={styles.status}>
        <StatusBadge status={status} />
      </span>
      <span className={styles.figure}>
        <Figure data={data} status={status} activity={activity.data} isPending={activity.isFetching} />
      </span>
      <span className={styles.spark}>
        {activity.data && <Sparkline values={seriesOf(activity.data, launch.mechanic)} />}
      </span>
      <span className={styles.when}>
        <TimeAgo at={launch.lastActivityAt} />
      </span>
    </Link>
  )
}

/** Rows that are only passed by while scrolling ask for nothing. */
const SETTLED_MS = 250

function useRowActivity(network: Network, address: string, status: LaunchStatus) {
  const { slipway } = useSite()
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [])
  return useQuery({
    ...activityQuery(slipway, network, address, 'day'),
    // Without script, the row is complete without it.
    enabled: isSettled && status !== 'upcoming',
    staleTime: 60_000,
    retry: false,
  })
}

const seriesOf = ({ points }: LaunchActivity, mechanic: string): number[] =>
  points.map(({ raised, price }) => Number((isRaise(mechanic) ? raised : price) ?? 0))

/** The one figure that matters for the mechanic and the status. */
function Figure({
  data: { launch },
  status,
  activity,
  isPending,
}: {
  data: LaunchData
  status: LaunchStatus
  activity: LaunchActivity | undefined
  isPending: boolean
}) {
  const figures = figuresOf(activity)
  if (status === 'upcoming')
    return (
      <span className={styles.main}>
        <Countdown at={launch.startTime} prefix="Opens in " />
      </span>
    )
  if (!figures) return isPending ? <Skeleton /> : <Ending launch={launch} status={status} />
  const { raised, price, progress, quoteMint, quoteDecimals } = figures
  const symbol = quoteSymbol(quoteMint)
  const goal = goalOf(figures, launch.mechanic)
  const showsPrice = !isRaise(launch.mechanic) && price !== null
  return (
    <>
      <span className={styles.main}>
        {showsPrice ? (
          <>
            {formatNumber(Number(price))} <span className={styles.goal}>{symbol}</span>
          </>
        ) : (
          <>
            <Amount units={raised} decimals={quoteDecimals} />
            <span className={styles.goal}>
              {goal === undefined ? '' : ` of ${formatNumber(goal)}`} {symbol}
            </span>
          </>
        )}
      </span>
      {progress !== null && (
        <Progress share={progress} label={showsPrice ? 'Sold' : 'Raised'} status={status} />
      )}
    </>
  )
}

/** Without figures, the time is what matters. */
function Ending({ launch, status }: { launch: LaunchData['launch']; status: LaunchStatus }) {
  if (status === 'graduated') return null
  return (
    <span className={styles.main}>
      {isEndless(launch.endTime) ? 'No end date' : <Countdown at={launch.endTime} prefix="Ends in " />}
    </span>
  )
}
