import type { LaunchActivity, LaunchData, LaunchStatus } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Price } from '../../components/price.tsx'
import { Progress } from '../../components/progress.tsx'
import { Raised } from '../../components/raised.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Countdown } from '../../components/time.tsx'
import { isEndless, quoteSymbol } from '../../lib/format.ts'
import { figuresOf, isRaise } from '../../lib/launches.ts'
import styles from './launch-figure.module.css'

/**
 * What was raised and the price, as two columns of a wide list. Elsewhere, the one that matters for the mechanic, with
 * its name.
 */
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
  /** A card has no columns, and shows the end elsewhere. */
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
        ) : isPending ? (
          <Skeleton />
        ) : (
          !isCard && <Ending launch={launch} status={status} />
        )}
      </span>
    )
  const { price, progress, quoteMint } = figures
  const isPriced = !isRaise(launch.mechanic) && price !== null
  const kinds = [styles.figures, isPriced && styles.priced, !isCard && styles.columns]
  return (
    <span className={kinds.filter(Boolean).join(' ')}>
      <span className={styles.raised}>
        <span className={styles.main}>
          <span className={styles.label}>Raised </span>
          <Raised figures={figures} />
        </span>
        {progress !== null && (
          <Progress share={progress} label={isPriced ? 'Sold' : 'Raised'} status={status} />
        )}
      </span>
      <span className={`${styles.main} ${styles.price}`}>
        <span className={styles.label}>Price </span>
        {price !== null ? (
          <Price price={price} symbol={quoteSymbol(quoteMint)} />
        ) : (
          <span className={styles.unset}>{wordsOf(launch.mechanic).isShared ? 'Set at the end' : '–'}</span>
        )}
      </span>
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
