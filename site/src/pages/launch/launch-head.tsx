import type { LaunchDetail, LaunchStatus, Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Price } from '../../components/price.tsx'
import { Progress } from '../../components/progress.tsx'
import { Raised } from '../../components/raised.tsx'
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
  const nowMs = useNow('minute')
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
              <StatusBadge
                status={hasMissedGoal(data, figures, nowMs) ? 'missed' : standingAt(data, nowMs, status)}
              />
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
  const isMissed = hasMissedGoal(data, figures, nowMs)
  const { launch } = data
  return (
    <div className={styles.standing}>
      {status !== 'upcoming' && figures && (
        <RaisedSoFar mechanic={launch.mechanic} {...{ status, figures, isOpen, isMissed }} />
      )}
      <Deadline {...{ launch, status, isMissed }} />
      {isMissed && <p className={styles.refunds}>Everyone who deposited can get a refund.</p>}
    </div>
  )
}

function RaisedSoFar({
  mechanic,
  status,
  figures,
  isOpen,
  isMissed,
}: {
  mechanic: string
  status: LaunchStatus
  figures: Figures
  /** Whether further deposits change the price. */
  isOpen: boolean
  /** Whether nothing was sold. */
  isMissed: boolean
}) {
  const { progress, price, quoteMint } = figures
  const { progress: towards = '' } = wordsOf(mechanic)
  return (
    <div className={styles.raised}>
      <p className={styles.figure}>
        <span className={styles.label}>Raised </span>
        <Raised figures={figures} />
      </p>
      {progress !== null && <Progress share={progress} label={`Progress, ${towards}`} status={status} />}
      <p className={styles.towards}>
        {progress !== null && (
          <span>
            {progress >= 1 && isRaise(mechanic) ? 'Goal reached' : `${formatShare(progress)} ${towards}`}
          </span>
        )}
        {price !== null && !isMissed && (
          <span>
            {isOpen ? 'Price so far' : 'Price'} <Price price={price} symbol={quoteSymbol(quoteMint)} />
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
