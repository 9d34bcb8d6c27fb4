import type { LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Amount } from '../../components/amount.tsx'
import { Price } from '../../components/price.tsx'
import { Progress } from '../../components/progress.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Countdown, Time } from '../../components/time.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatShare, isEndless, networkName, quoteSymbol } from '../../lib/format.ts'
import {
  type Figures,
  hasMissedGoal,
  isOpenPool,
  isRaise,
  launchHref,
  standingAt,
  titleOf,
} from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import { Hero } from './hero.tsx'
import styles from './launch-head.module.css'
import { ShareButton } from './share-button.tsx'

interface HeadProps {
  data: LaunchDetail
  status: LaunchStatus
  network: Network
  figures: Figures | undefined
}

/** Who, what, status, progress and time left. */
export function LaunchHead({
  data,
  status,
  network,
  figures,
  isPublished = true,
}: HeadProps & {
  /** Whether it has a page that can be shared. */
  isPublished?: boolean
}) {
  const { settings } = useSite()
  const { launch, baseToken } = data
  return (
    <header className={styles.head}>
      <Hero path={launch.heroUrl} />
      <div className={styles.grid}>
        <div className={styles.who}>
          <TokenPicture
            image={baseToken.image}
            name={titleOf(data)}
            address={launch.genesisAddress}
            size={88}
          />
          <div className={styles.title}>
            <h1>
              <bdi>{titleOf(data)}</bdi> <bdi className={styles.symbol}>{baseToken.symbol}</bdi>
            </h1>
            <div className={styles.kind}>
              <StatusBadge status={standingAt(data, useNow('minute'), status)} />
              <span>{wordsOf(launch.mechanic).title}</span>
              {settings.networks.length > 1 && <span>{networkName(network)}</span>}
              {isPublished && (
                <ShareButton
                  title={titleOf(data)}
                  url={settings.publicUrl + launchHref(launch.genesisAddress, network, settings.networks)}
                />
              )}
            </div>
          </div>
        </div>
        <Standing data={data} status={status} figures={figures} />
        {baseToken.description && (
          <p className={styles.description} dir="auto">
            {baseToken.description}
          </p>
        )}
      </div>
    </header>
  )
}

/** How far it has come, and how long it is open. */
function Standing({ data, status, figures }: Omit<HeadProps, 'network'>) {
  const nowMs = useNow('second')
  const isOpen = isOpenPool(data, nowMs)
  const { launch } = data
  return (
    <div className={styles.standing}>
      {status !== 'upcoming' && figures && (
        <Raised mechanic={launch.mechanic} status={status} figures={figures} isOpen={isOpen} />
      )}
      <Deadline launch={launch} status={status} isMissed={hasMissedGoal(data, figures, nowMs)} />
    </div>
  )
}

function Raised({
  mechanic,
  status,
  figures,
  isOpen,
}: {
  mechanic: string
  status: LaunchStatus
  figures: Figures
  /** Whether further deposits change the price. */
  isOpen: boolean
}) {
  const { raised, progress, price, goal, quoteMint, quoteDecimals } = figures
  const symbol = quoteSymbol(quoteMint)
  const { progress: towards = '' } = wordsOf(mechanic)
  return (
    <div className={styles.raised}>
      <p className={styles.figure}>
        <span className={styles.label}>Raised </span>
        <Amount units={raised} decimals={quoteDecimals} />
        <span className={styles.goal}>
          {goal !== null && (
            <>
              {' of '}
              <Amount units={goal} decimals={quoteDecimals} />
            </>
          )}{' '}
          {symbol}
        </span>
      </p>
      {progress !== null && <Progress share={progress} label={`Progress, ${towards}`} status={status} />}
      <p className={styles.towards}>
        {progress !== null && (
          <span>
            {progress >= 1 && isRaise(mechanic) ? 'Goal reached' : `${formatShare(progress)} ${towards}`}
          </span>
        )}
        {price !== null && (
          <span>
            {isOpen ? 'Price so far' : 'Price'} <Price price={price} symbol={symbol} />
          </span>
        )}
      </p>
    </div>
  )
}

function Deadline({
  launch,
  status,
  isMissed,
}: {
  launch: LaunchDetail['launch']
  status: LaunchStatus
  isMissed: boolean
}) {
  const nowMs = useNow('second')
  if (status === 'graduated' && launch.graduatedAt !== null)
    return (
      <p className={styles.deadline}>
        <b>Graduated</b> <Time at={launch.graduatedAt} />
      </p>
    )
  if (status === 'upcoming')
    return (
      <p className={`${styles.deadline} ${styles.large}`}>
        <b>
          <Countdown at={launch.startTime} prefix="Opens in " />
        </b>
        <Time at={launch.startTime} />
      </p>
    )
  if (isEndless(launch.endTime))
    return (
      <p className={styles.deadline}>
        <b>Open until it graduates</b>
      </p>
    )
  if (Date.parse(launch.endTime) <= nowMs)
    return (
      <p className={styles.deadline}>
        <b>{isMissed ? 'Closed below its goal' : 'Closed'}</b> <Time at={launch.endTime} />
      </p>
    )
  return (
    <p className={styles.deadline}>
      <b>
        <Countdown at={launch.endTime} prefix="Ends in " />
      </b>{' '}
      <Time at={launch.endTime} />
    </p>
  )
}
