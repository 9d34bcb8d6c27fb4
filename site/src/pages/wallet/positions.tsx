import type { Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useRef } from 'react'
import { Link } from 'wouter'
import { Amount } from '../../components/amount.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Panel } from '../../components/panel.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { plural, quoteSymbol } from '../../lib/format.ts'
import { launchHref, standingAt, statusAt, TAKE_PART_ID, titleOf } from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Position } from '../../lib/wallets.ts'
import { useRowActivity } from '../directory/use-row-activity.ts'
import { More } from './holding-lists.tsx'
import { PositionText } from './position-text.tsx'
import { findNextStep, findWorth } from './position-worth.ts'
import styles from './positions.module.css'
import { type Shown, useWholeList } from './use-whole-list.ts'
import walletStyles from './wallet.module.css'

/** What the wallet has in launches, what that is worth, and what it can do about it now. */
export function Positions(shown: Shown) {
  const { entries, pages, ...more } = useWholeList('positions', shown, ({ genesisAddress }) => genesisAddress)
  const unread = pages.reduce((sum, page) => sum + page.unread, 0)
  return (
    <Panel title="Positions">
      {entries.length > 0 && (
        <div className={styles.container}>
          <div className={styles.columns} aria-hidden="true">
            <span>Launch</span>
            <span>Holds</span>
            <span>Worth</span>
          </div>
          <ul>
            {entries.map(position => (
              <li key={position.genesisAddress} className={styles.item}>
                <PositionRow position={position} network={shown.network} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <More {...more} what="positions" />
      {unread > 0 && (
        <p className={walletStyles.note}>
          {plural(unread, 'launch', 'launches')} could not be read right now. The wallet may have something
          there.
        </p>
      )}
      {shown.holdings.truncated && (
        <p className={walletStyles.note}>
          Not all of the wallet’s token accounts could be looked at, so some of its tokens may be missing.
          Deposits are complete.
        </p>
      )}
    </Panel>
  )
}

function PositionRow({ position, network }: { position: Position; network: Network }) {
  const { networks } = useSite().settings
  const nowMs = useNow('second')
  const { genesisAddress, launch, baseToken } = position
  const href = launchHref(genesisAddress, network, networks)
  const step = findNextStep(position)
  const standing = standingAt(position, nowMs)
  return (
    <div className={styles.row}>
      <TokenPicture image={baseToken.image} name={titleOf(position)} address={genesisAddress} size={44} />
      <span className={styles.who}>
        <Link href={href} className={`reach ${styles.name}`}>
          <bdi>{titleOf(position)}</bdi>
        </Link>{' '}
        <span className={styles.kind}>
          <StatusBadge status={standing === 'closed' && position.refundable !== '0' ? 'missed' : standing} />{' '}
          {wordsOf(launch.mechanic).title}
        </span>
      </span>{' '}
      <span className={styles.has}>
        <PositionText position={position} />
      </span>
      <Worth position={position} network={network} />
      <span className={styles.step}>
        {step && (
          <LinkButton href={`${href}#${TAKE_PART_ID}`} kind="quiet">
            {step}
          </LinkButton>
        )}
      </span>
    </div>
  )
}

/** At the current price. What is only deposited needs none. */
function Worth({ position, network }: { position: Position; network: Network }) {
  const element = useRef<HTMLSpanElement>(null)
  const status = statusAt(position, useNow('second'))
  const { activity, isPending } = useRowActivity(element, network, position.genesisAddress, status)
  const worth = findWorth(position, activity)
  const { quoteMint, quoteDecimals } = position
  return (
    <span ref={element} className={styles.worth}>
      {worth !== undefined ? (
        <span>
          <span className={styles.label}>Worth about </span>
          <Amount units={`${worth}`} decimals={quoteDecimals} symbol={quoteSymbol(quoteMint)} />
        </span>
      ) : (
        isPending && status !== 'upcoming' && <Skeleton shape="short" />
      )}
    </span>
  )
}
