import type { LaunchDetail, LaunchStatus } from '@slipway/client'
import type { ReactNode } from 'react'
import { Progress, Time } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { formatShare, isEndless } from '../../lib/format.ts'
import { isRaise } from '../../lib/launches.ts'
import { useIsHydrated, useNow } from '../../lib/now.ts'
import styles from './launch-times.module.css'
import type { Payout } from './read-terms.ts'

interface Step {
  label: string
  time: ReactNode
  isDone: boolean
}

/** The life of a launch: what has happened, and what comes. */
export function LaunchTimes({
  launch,
  status,
  isMissed,
  payout,
}: {
  launch: LaunchDetail['launch']
  status: LaunchStatus
  /** Whether everyone gets a refund. */
  isMissed: boolean
  /** How what was sold is paid out, if not all at once. */
  payout: Payout | undefined
}) {
  const nowMs = useNow('second')
  const isHydrated = useIsHydrated()
  const hasEnded = Date.parse(launch.endTime) <= nowMs
  const steps: Step[] = [
    {
      label: status === 'upcoming' ? 'Opens' : 'Opened',
      time: <Time at={launch.startTime} />,
      isDone: status !== 'upcoming',
    },
    ...(isEndless(launch.endTime)
      ? []
      : [{ label: hasEnded ? 'Closed' : 'Closes', time: <Time at={launch.endTime} />, isDone: hasEnded }]),
    isMissed
      ? { label: 'Refunds open', time: 'because the goal was missed', isDone: true }
      : {
          label: status === 'graduated' ? 'Graduated' : 'Graduates',
          time:
            launch.graduatedAt !== null ? (
              <Time at={launch.graduatedAt} />
            ) : isRaise(launch.mechanic) ? (
              'and tokens can be claimed'
            ) : (
              'into a pool that anyone can trade in'
            ),
          isDone: status === 'graduated',
        },
    ...(payout && !isMissed ? listPayments(payout, nowMs) : []),
  ]
  return (
    <Panel title="Times">
      <ol className={styles.steps}>
        {steps.map(({ label, time, isDone }) => (
          <li key={label} className={isDone ? styles.done : undefined}>
            <b>{label}</b> <span>{time}</span>
          </li>
        ))}
      </ol>
      {payout && !isMissed && status === 'graduated' && <PaidOut share={payout.shareAt(nowMs)} />}
      <p className={styles.zone}>Times in {isHydrated ? 'your time zone' : 'UTC'}</p>
    </Panel>
  )
}

function listPayments({ firstShare, firstAt, endsAt }: Payout, nowMs: number): Step[] {
  const isPast = (time: string) => Date.parse(time) <= nowMs
  const first = formatShare(firstShare)
  return [
    ...(firstAt !== undefined && firstShare > 0
      ? [
          {
            label: isPast(firstAt) ? `First ${first} released` : `Releases the first ${first}`,
            time: <Time at={firstAt} />,
            isDone: isPast(firstAt),
          },
        ]
      : []),
    ...(endsAt !== undefined && !isEndless(endsAt)
      ? [
          {
            label: isPast(endsAt) ? 'All released' : 'All released by',
            time: <Time at={endsAt} />,
            isDone: isPast(endsAt),
          },
        ]
      : []),
  ]
}

const PaidOut = ({ share }: { share: number }) => (
  <div className={styles.paid}>
    <Progress share={share} label="Released so far" status="graduated" />
    <span>{formatShare(share)} of the sold tokens released so far</span>
  </div>
)
