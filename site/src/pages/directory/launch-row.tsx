import type { LaunchActivity, LaunchData, LaunchStatus, Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { memo, useRef } from 'react'
import { Link } from 'wouter'
import { Sparkline } from '../../components/sparkline.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TimeAgo } from '../../components/time.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import {
  figuresOf,
  hasMissedGoal,
  isRaise,
  launchHref,
  seriesOf,
  standingAt,
  statusAt,
  titleOf,
} from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import { LaunchFigure } from './launch-figure.tsx'
import styles from './launch-row.module.css'
import { useRowActivity } from './use-row-activity.ts'

/** A row is rendered again only if its own launch changes. */
export const LaunchRow = memo(function LaunchRow({ data, network }: { data: LaunchData; network: Network }) {
  const { settings } = useSite()
  const { launch } = data
  const nowMs = useNow('minute')
  // Only a row that is about to change looks at every second.
  const isWaiting = statusAt(data, nowMs) === 'upcoming'
  const status = statusAt(data, useNow(isWaiting ? 'second' : 'minute'))
  const link = useRef<HTMLAnchorElement>(null)
  const { activity, isPending } = useRowActivity(link, network, launch.genesisAddress, status)
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
}: {
  data: LaunchData
  status: LaunchStatus
  activity: LaunchActivity | undefined
  isPending: boolean
  nowMs: number
}) {
  const { launch, baseToken } = data
  return (
    <>
      <TokenPicture image={baseToken.image} name={titleOf(data)} address={launch.genesisAddress} size={44} />
      <span className={styles.who}>
        <span className={styles.name}>
          <bdi>{titleOf(data)}</bdi>
        </span>
        <span className={styles.kind}>
          <bdi className={styles.symbol}>{baseToken.symbol}</bdi> {wordsOf(launch.mechanic).title}
          {baseToken.description && <bdi className={styles.description}>{baseToken.description}</bdi>}
        </span>
      </span>
      <span className={styles.status}>
        <StatusBadge
          status={
            hasMissedGoal(data, figuresOf(activity), nowMs) ? 'missed' : standingAt(data, nowMs, status)
          }
        />
      </span>
      <LaunchFigure data={data} status={status} activity={activity} isPending={isPending} />
      <span className={styles.spark}>
        {activity && <Sparkline values={valuesOf(activity, launch.mechanic, nowMs)} />}
      </span>
      <span className={styles.when}>
        <TimeAgo at={launch.lastActivityAt} />
      </span>
    </>
  )
}

const valuesOf = (activity: LaunchActivity, mechanic: string, nowMs: number) =>
  seriesOf(activity, isRaise(mechanic) ? 'raised' : 'price', nowMs).map(({ value }) => value)
