import type { Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import { Amount, StatusBadge, Time } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { formatShare, plural, quoteSymbol } from '../../lib/format.ts'
import {
  launchHref,
  nameNextClaim,
  type Standing,
  standingAt,
  statusAt,
  titleOf,
} from '../../lib/launches.ts'
import { useNow } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Position } from '../../lib/wallets.ts'
import { useRowActivity } from '../directory/use-row-activity.ts'
import { More, type Shown, useWholeList } from './holding-lists.tsx'
import { findHindrance, findWorth, isPriced } from './position-worth.ts'
import styles from './positions.module.css'

/** What the wallet has in launches, and what that would bring now or waits for. What it can collect is above. */
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
            <span>Worth before fees</span>
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
        <p className="small faint top-3">
          {plural(unread, 'launch', 'launches')} could not be read right now. The wallet may have something
          there.
        </p>
      )}
      {shown.holdings.truncated && (
        <p className="small faint top-3">
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
      <Worth position={position} network={network} standing={standing} />
    </div>
  )
}

/** What it would bring now, or why it brings nothing. */
function Worth({
  position,
  network,
  standing,
}: {
  position: Position
  network: Network
  standing: Standing
}) {
  const element = useRef<HTMLSpanElement>(null)
  const status = statusAt(position, useNow('second'))
  const { activity, isPending } = useRowActivity(element, network, position.genesisAddress, status)
  const worth = findWorth(position, activity)
  const hindrance = findHindrance(position, standing)
  const { quoteMint, quoteDecimals } = position
  return (
    <span ref={element} className={worth === undefined ? styles.waits : styles.worth}>
      {worth !== undefined ? (
        <span>
          <Amount units={`${worth}`} decimals={quoteDecimals} symbol={quoteSymbol(quoteMint)} />
          {isPriced(position) && <span className={styles.label}> at the last price</span>}
        </span>
      ) : (
        (hindrance ?? (isPending && status !== 'upcoming' && <Skeleton shape="short" />))
      )}
    </span>
  )
}

/** What a position is, a line for each part. What waits to be claimed comes first. */
function PositionText({ position }: { position: Position }) {
  const { launch, baseToken, quoteMint, quoteDecimals, baseDecimals } = position
  const { deposited, share, balance, claimable, claimed, refundable, proceeds, nextClaim } = position
  const quote = (units: string) => (
    <Amount units={units} decimals={quoteDecimals} symbol={quoteSymbol(quoteMint)} />
  )
  const base = (units: string) => (
    <Amount units={units} decimals={baseDecimals} symbol={baseToken.symbol || 'tokens'} />
  )
  // Until it is certain how many tokens that is.
  const showsShare = share > 0 && refundable === '0' && launch.graduatedAt === null
  const lines: [name: string, text: ReactNode][] = [
    ['refundable', refundable !== '0' && <b>Refund of {quote(refundable)}</b>],
    ['claimable', claimable !== '0' && <b>{base(claimable)} to claim</b>],
    ['proceeds', proceeds !== '0' && <b>{quote(proceeds)} of what was raised to claim</b>],
    ['balance', balance !== '0' && base(balance)],
    ['deposited', deposited !== '0' && <>{quote(deposited)} deposited</>],
    ['share', showsShare && `${formatShare(share)} of the sale`],
    ['claimed', claimed !== '0' && <>{base(claimed)} claimed</>],
    [
      'next',
      nextClaim !== null && (
        <>
          {nameNextClaim(position, launch.graduatedAt !== null)} <Time at={nextClaim} />
        </>
      ),
    ],
  ]
  const shown = lines.filter(([, text]) => text !== false)
  if (shown.length === 0) return 'An empty token account'
  return shown.map(([name, text]) => (
    <span key={name} className={styles.line}>
      {text}{' '}
    </span>
  ))
}
