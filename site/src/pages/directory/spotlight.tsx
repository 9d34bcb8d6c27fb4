import type { LaunchData, LaunchStatus, Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import card from '../../components/card.module.css'
import { Countdown, StatusBadge, Time, TimeAgo } from '../../components/figures.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatCount, isEndless } from '../../lib/format.ts'
import { figuresOf, hasMissedGoal, launchHref, standingAt, statusAt, titleOf } from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import { LaunchFigure } from './launch-row.tsx'
import styles from './spotlight.module.css'
import { useRowActivity } from './use-row-activity.ts'

const ORDER: Record<LaunchStatus, number> = { live: 0, upcoming: 1, graduated: 2 }

/** The launches that the operator has picked, live ones first. One row of them, so that the list below stays in sight. */
export function Spotlight({ launches, network }: { launches: readonly LaunchData[]; network: Network }) {
  const nowMs = useNow('minute')
  const [isWhole, setWhole] = useState(false)
  const cards = launches.toSorted((a, b) => ORDER[statusAt(a, nowMs)] - ORDER[statusAt(b, nowMs)])
  return (
    <section aria-labelledby="spotlight" className={styles.spotlight}>
      <div className={styles.head}>
        <h2 id="spotlight">In the spotlight</h2>
        {/* Hidden by styles where one row has them all. */}
        <span className={styles.all}>
          <Button aria-controls="spotlight-cards" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${formatCount(cards.length)}`}
          </Button>
        </span>
      </div>
      <ul id="spotlight-cards" className={isWhole ? `${styles.cards} ${styles.whole}` : styles.cards}>
        {cards.map(data => (
          <li key={data.launch.genesisAddress}>
            <Card data={data} network={network} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Card({ data, network }: { data: LaunchData; network: Network }) {
  const { settings } = useSite()
  const { launch, baseToken } = data
  const nowMs = useNow('second')
  const status = statusAt(data, nowMs)
  const standing = standingAt(data, nowMs)
  const link = useRef<HTMLAnchorElement>(null)
  const { activity, isPending } = useRowActivity(link, network, launch.genesisAddress, status)
  const isMissed = hasMissedGoal(data, figuresOf(activity), nowMs)
  return (
    <Link
      ref={link}
      href={launchHref(launch.genesisAddress, network, settings.networks)}
      className={`${card.card} ${styles.card}`}
    >
      <span className="row shrinks gap-4">
        <TokenPicture
          image={baseToken.image}
          name={titleOf(data)}
          address={launch.genesisAddress}
          size={56}
        />
        <span className="stack shrinks">
          <bdi className={styles.name}>{titleOf(data)}</bdi>
          <span className={styles.kind}>
            <bdi>{baseToken.symbol}</bdi> {wordsOf(launch.mechanic).title}
          </span>
        </span>
      </span>
      {baseToken.description && (
        <span className={styles.description} dir="auto">
          {baseToken.description}
        </span>
      )}
      <span className={styles.figure}>
        <LaunchFigure {...{ data, activity, isPending, isMissed }} status={standing} isCard />
      </span>
      <span className="row spread gap-2">
        <StatusBadge status={isMissed ? 'missed' : standing} />
        <span className={styles.when}>
          {standing === 'upcoming' && <Time at={launch.startTime} />}
          {standing === 'live' &&
            (isEndless(launch.endTime) ? 'No end date' : <Countdown at={launch.endTime} prefix="Ends in " />)}
          {standing === 'closed' && <TimeAgo at={launch.endTime} />}
          {standing === 'graduated' && launch.graduatedAt !== null && <TimeAgo at={launch.graduatedAt} />}
        </span>
      </span>
    </Link>
  )
}
