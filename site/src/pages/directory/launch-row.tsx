import type { LaunchData, LaunchFigures, LaunchStatus, Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { memo, useRef } from 'react'
import { Link } from 'wouter'
import {
  Countdown,
  Price,
  Progress,
  Raised,
  Sparkline,
  StatusBadge,
  TimeAgo,
  TimeLeft,
} from '../../components/figures.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { isEndless, quoteSymbol } from '../../lib/format.ts'
import {
  figuresOf,
  hasMissedGoal,
  isRaise,
  type KnownFigures,
  launchHref,
  type Standing,
  seriesOf,
  standingAt,
  statusAt,
  titleOf,
} from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './launch-row.module.css'
import { useRowActivity } from './use-row-activity.ts'

/** A row is rendered again only if its own launch changes. */
export const LaunchRow = memo(function LaunchRow({
  data,
  network,
  figures,
}: {
  data: LaunchData
  network: Network
  figures: LaunchFigures | undefined
}) {
  const { settings } = useSite()
  const { launch } = data
  const nowMs = useNow('minute')
  // Only a row that is about to change looks at every second.
  const isWaiting = statusAt(data, nowMs) === 'upcoming'
  const status = statusAt(data, useNow(isWaiting ? 'second' : 'minute'))
  const link = useRef<HTMLAnchorElement>(null)
  const { activity, isPending } = useRowActivity(link, network, launch.genesisAddress, status, figures)
  return (
    <Link
      ref={link}
      href={launchHref(launch.genesisAddress, network, settings.networks)}
      className={styles.row}
    >
      <LaunchRowCells {...{ data, status, activity, isPending, nowMs }} />
    </Link>
  )
})

/** What a row shows. */
export function LaunchRowCells({
  data,
  status,
  activity,
  isPending,
  nowMs,
  isCard = false,
}: {
  data: LaunchData
  status: LaunchStatus
  activity: KnownFigures | undefined
  isPending: boolean
  nowMs: number
  /** Whether it stands alone, without columns. */
  isCard?: boolean
}) {
  const { launch, baseToken } = data
  const standing = standingAt(data, nowMs, status)
  const time = timeOf(launch, standing)
  const isMissed = hasMissedGoal(data, figuresOf(activity), nowMs)
  return (
    <>
      <TokenPicture image={baseToken.image} name={titleOf(data)} address={launch.genesisAddress} size={44} />
      <span className="stack shrinks">
        <span className={styles.name}>
          <bdi>{titleOf(data)}</bdi>
        </span>
        <span className="clipped small faint">
          <bdi className={styles.symbol}>{baseToken.symbol}</bdi> {wordsOf(launch.mechanic).title}
          {baseToken.description && <bdi className={styles.description}>{baseToken.description}</bdi>}
        </span>
      </span>
      <span className={styles.status}>
        <StatusBadge status={isMissed ? 'missed' : standing} />
        {time && <span className={styles.time}>{time}</span>}
      </span>
      <LaunchFigure {...{ data, activity, isPending, isMissed, isCard }} status={standing} />
      <span className={styles.spark}>
        {activity?.points && <Sparkline values={valuesOf(activity, launch.mechanic, nowMs)} />}
      </span>
      <span className={time ? `${styles.when} ${styles.also}` : styles.when}>
        {/* Nothing can happen before it opens. */}
        {status !== 'upcoming' && <TimeAgo at={launch.lastActivityAt} />}
      </span>
    </>
  )
}

/** When it ends or ended. The figures of an upcoming launch say when it opens. */
function timeOf({ endTime, graduatedAt }: LaunchData['launch'], standing: Standing) {
  if (standing === 'live') return isEndless(endTime) ? undefined : <TimeLeft at={endTime} prefix="Ends in " />
  if (standing === 'closed') return <TimeAgo at={endTime} />
  return graduatedAt === null ? undefined : <TimeAgo at={graduatedAt} />
}

const valuesOf = (activity: KnownFigures, mechanic: string, nowMs: number) =>
  seriesOf(activity, isRaise(mechanic) ? 'raised' : 'price', nowMs).map(({ value }) => value)

/**
 * What was raised and the price, as two columns of a wide list. Where there is room for one, it is what was raised
 * during the sale, and the price once the token trades in a pool. A card shows both.
 */
export function LaunchFigure({
  data: { launch },
  status,
  activity,
  isPending,
  isMissed,
  isCard = false,
}: {
  data: LaunchData
  status: Standing
  activity: KnownFigures | undefined
  isPending: boolean
  /** Whether it missed its goal. Its token then has no price. */
  isMissed: boolean
  isCard?: boolean
}) {
  const figures = figuresOf(activity)
  if (status === 'upcoming' || !figures)
    return (
      <span className={styles.whole}>
        {status === 'upcoming' ? (
          <span className={styles.main}>
            <Countdown at={launch.startTime} prefix="Opens in " />
          </span>
        ) : (
          isPending && <Skeleton />
        )}
      </span>
    )
  const { price, progress, quoteMint } = figures
  const isTraded = !isRaise(launch.mechanic) && price !== null
  const isOver = status === 'graduated'
  const kinds = [
    styles.figures,
    isTraded && (isOver ? styles.priced : isCard && styles.both),
    !isCard && styles.columns,
  ]
  return (
    <span className={kinds.filter(Boolean).join(' ')}>
      <span className={styles.raised}>
        <span className={styles.main}>
          <span className={styles.label}>Raised </span>
          <Raised figures={figures} />
        </span>
        {progress !== null && !isOver && (
          <Progress share={progress} label={isTraded ? 'Sold' : 'Raised'} status={status} />
        )}
      </span>
      <span className={`${styles.main} ${styles.price}`}>
        <span className={styles.label}>Price </span>
        {price !== null && !isMissed ? (
          <Price price={price} symbol={quoteSymbol(quoteMint)} />
        ) : (
          <span className={styles.unset}>
            {wordsOf(launch.mechanic).isShared && !isOver && !isMissed ? 'Set at the end' : '–'}
          </span>
        )}
      </span>
    </span>
  )
}
