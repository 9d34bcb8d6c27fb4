import { Fragment, type ReactNode, useId } from 'react'
import { Link } from 'wouter'
import { LinkButton } from '../../components/button.tsx'
import { Amount, Time } from '../../components/figures.tsx'
import { Skeleton } from '../../components/notice.tsx'
import totalStyles from '../../components/total.module.css'
import { NATIVE_DECIMALS, plural, quoteSymbol } from '../../lib/format.ts'
import { launchHref, TAKE_PART_ID, titleOf } from '../../lib/launches.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Position } from '../../lib/wallets.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import { rewardsHref, TokenAmount } from '../rewards/token-amount.tsx'
import type { Shown } from './holding-lists.tsx'
import { findCollection, useWorth } from './position-worth.ts'
import styles from './wallet-overview.module.css'

/** What people want to know first: what the wallet has, and what waits for it. */
export const WalletOverview = (shown: Shown) => (
  <div className={styles.overview}>
    <Total {...shown} />
    <Collect {...shown} />
  </div>
)

const Sol = ({ units }: { units: bigint }) => (
  <Amount units={`${units}`} decimals={NATIVE_DECIMALS} symbol="SOL" />
)

/** The balance, and apart from it what the positions would bring: that is no more than an estimate. */
export function Total(shown: Shown) {
  const { worth, isPending, balanceState } = useWorth(shown)
  const { balance, positions, isPriced, leftOut } = worth
  const isHidden = balanceState === 'hidden'
  if (isHidden && positions === 0n && leftOut === 0) return null
  return (
    <section className={totalStyles.total}>
      {!isHidden && (
        <>
          <h2>Balance</h2>
          <p className={totalStyles.amount}>
            {balance !== undefined ? (
              <Sol units={balance} />
            ) : balanceState === 'pending' ? (
              <Skeleton />
            ) : (
              <span className={styles.unknown}>Can’t be read right now</span>
            )}
          </p>
        </>
      )}
      {!isPending && positions > 0n && (
        <p className={totalStyles.parts}>
          <span>
            Positions <Sol units={positions} />
            {isPriced && ' at the last price. A large sale would bring less.'}
          </span>
        </p>
      )}
      {balanceState === 'stale' && (
        <p className="small faint top-2">The chain is not answering. This is the last known balance.</p>
      )}
      {!isPending && <Missing {...shown} leftOut={leftOut} />}
    </section>
  )
}

/** What the figures leave out. */
function Missing({ holdings, leftOut }: Shown & { leftOut: number }) {
  const isPart = holdings.next.positions !== null
  if (leftOut === 0 && !isPart) return null
  return (
    <p className="small faint top-2">
      {leftOut > 0 &&
        `Not counted: ${plural(leftOut, 'position')} without a price, or that can’t be sold for SOL now. `}
      {isPart &&
        `Only the first ${plural(holdings.positions.length, 'position')} ${holdings.positions.length === 1 ? 'is' : 'are'} counted.`}
    </p>
  )
}

/** More are folded. */
const COLLECTED_SHOWN = 5

interface Collection {
  key: string
  amount: ReactNode
  from: ReactNode
  /** Absent for someone else's wallet: nothing can be done there. */
  step?: string
  href: string
}

/** Everything that the wallet can claim or get back, each once. */
function Collect({ wallet, network, holdings }: Shown) {
  const { networks } = useSite().settings
  const { account } = useWallet()
  const id = useId()
  /** Only who owns the wallet can claim. */
  const isOwn = !account || account.address === wallet
  const rewards = holdings.rewards.filter(({ claimable }) => claimable !== '0')
  const entries: Collection[] = [
    ...rewards.map(({ quoteMint, claimable }) => ({
      key: quoteMint,
      amount: (
        <TokenAmount
          {...{ network, units: claimable, mint: quoteMint }}
          genesisAddress={holdings.launches[0]?.launch.genesisAddress}
        />
      ),
      from: 'Creator rewards',
      step: 'Claim',
      href: rewardsHref(wallet, network, networks),
    })),
    ...holdings.positions.flatMap(position => {
      const step = findCollection(position)
      if (!step) return []
      return {
        key: position.genesisAddress,
        amount: <Owed position={position} />,
        from: <bdi>{titleOf(position)}</bdi>,
        ...(isOwn && { step }),
        href: `${launchHref(position.genesisAddress, network, networks)}${isOwn ? `#${TAKE_PART_ID}` : ''}`,
      }
    }),
  ]
  const rest = entries.slice(COLLECTED_SHOWN)
  return (
    <section className={totalStyles.total} aria-labelledby={id}>
      <h2 id={id}>Ready to claim</h2>
      {entries.length === 0 ? (
        <p className="top-2 soft">
          Nothing right now.
          <NextClaim positions={holdings.positions} />
        </p>
      ) : (
        <Collections entries={entries.slice(0, COLLECTED_SHOWN)} isMain={account?.address === wallet} />
      )}
      {rest.length > 0 && (
        <details className="fold">
          <summary className="reach">{rest.length} more</summary>
          <Collections entries={rest} />
        </details>
      )}
      {holdings.next.positions !== null && (
        <p className="small faint top-2">Positions that are not shown yet may have more.</p>
      )}
    </section>
  )
}

const Collections = ({ entries, isMain = false }: { entries: readonly Collection[]; isMain?: boolean }) => (
  <ul className={styles.collections}>
    {entries.map(({ key, amount, from, step, href }) => (
      <li key={key}>
        <span className={styles.what}>
          <b>{amount}</b>{' '}
          <span className={styles.from}>{step === undefined ? <Link href={href}>{from}</Link> : from}</span>
        </span>
        {step !== undefined && (
          <LinkButton href={href} kind={isMain && entries.length === 1 ? 'primary' : 'quiet'}>
            {step}
          </LinkButton>
        )}
      </li>
    ))}
  </ul>
)

function Owed({ position }: { position: Position }): ReactNode {
  const { refundable, claimable, proceeds, quoteMint, quoteDecimals, baseDecimals, baseToken } = position
  const base = { decimals: baseDecimals, symbol: baseToken.symbol || 'tokens' }
  const quote = { decimals: quoteDecimals, symbol: quoteSymbol(quoteMint) }
  const owed = [
    ['claimable', claimable, base] as const,
    ['refundable', refundable, quote] as const,
    ['proceeds', proceeds, quote] as const,
  ].filter(([, units]) => units !== '0')
  if (owed.length === 0) return 'Tokens to claim'
  return owed.map(([name, units, token], at) => (
    <Fragment key={name}>
      {at > 0 && ' and '}
      <Amount units={units} {...token} />
    </Fragment>
  ))
}

/** The first time at which there will be something. */
function NextClaim({ positions }: { positions: readonly Position[] }) {
  const [next] = positions.flatMap(({ nextClaim }) => nextClaim ?? []).sort()
  return (
    next !== undefined && (
      <>
        {' '}
        The next claim opens <Time at={next} />.
      </>
    )
  )
}
