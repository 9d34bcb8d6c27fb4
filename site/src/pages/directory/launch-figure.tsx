import type { LaunchActivity, LaunchData, LaunchStatus } from '@slipway/client'
import { Price } from '../../components/price.tsx'
import { Progress } from '../../components/progress.tsx'
import { Raised } from '../../components/raised.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Countdown } from '../../components/time.tsx'
import { isEndless, quoteSymbol } from '../../lib/format.ts'
import { figuresOf, isRaise } from '../../lib/launches.ts'
import styles from './launch-figure.module.css'

/** The one figure that matters for the mechanic and the status. */
export function LaunchFigure({
  data: { launch },
  status,
  activity,
  isPending,
  isCard = false,
}: {
  data: LaunchData
  status: LaunchStatus
  activity: LaunchActivity | undefined
  isPending: boolean
  /** A card has no column heading, and shows the end elsewhere. */
  isCard?: boolean
}) {
  const figures = figuresOf(activity)
  if (status === 'upcoming')
    return (
      <span className={styles.figure}>
        <span className={styles.main}>
          <Countdown at={launch.startTime} prefix="Opens in " />
        </span>
      </span>
    )
  if (!figures)
    return (
      <span className={styles.figure}>
        {isPending ? <Skeleton /> : !isCard && <Ending launch={launch} status={status} />}
      </span>
    )
  const { price, progress, quoteMint } = figures
  const showsPrice = !isRaise(launch.mechanic) && price !== null
  return (
    <span className={styles.figure}>
      <span className={styles.main}>
        <span className={isCard ? styles.label : styles.phoneLabel}>{showsPrice ? 'Price ' : 'Raised '}</span>
        {showsPrice ? <Price price={price} symbol={quoteSymbol(quoteMint)} /> : <Raised figures={figures} />}
      </span>
      {progress !== null && (
        <Progress share={progress} label={showsPrice ? 'Sold' : 'Raised'} status={status} />
      )}
    </span>
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
