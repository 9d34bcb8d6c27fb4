import type { LaunchDetail, LaunchStatus } from '@slipway/client'
import type { ReactNode } from 'react'
import { Panel } from '../../components/panel.tsx'
import { Time } from '../../components/time.tsx'
import { isEndless } from '../../lib/format.ts'
import { isRaise } from '../../lib/launches.ts'
import { useIsHydrated, useNow } from '../../lib/now.ts'
import styles from './launch-times.module.css'

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
}: {
  launch: LaunchDetail['launch']
  status: LaunchStatus
  /** Whether everyone gets a refund. */
  isMissed: boolean
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
      ? { label: 'Refunds deposits', time: 'because the goal was missed', isDone: true }
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
      <p className={styles.zone}>Times in {isHydrated ? 'your time zone' : 'UTC'}</p>
    </Panel>
  )
}
