import type { LaunchData } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Countdown, Price, Progress, Raised } from '../../components/figures.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { quoteSymbol } from '../../lib/format.ts'
import { figuresOf, isRaise, type KnownFigures, type Standing } from '../../lib/launches.ts'
import styles from './launch-figure.module.css'

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
