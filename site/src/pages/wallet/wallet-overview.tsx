import { type ReactNode, useId } from 'react'
import { Amount } from '../../components/amount.tsx'
import { LinkButton } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Time } from '../../components/time.tsx'
import totalStyles from '../../components/total.module.css'
import { plural, quoteSymbol } from '../../lib/format.ts'
import { launchHref, TAKE_PART_ID, titleOf } from '../../lib/launches.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Position } from '../../lib/wallets.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import { rewardsHref } from '../rewards/rewards-href.ts'
import { TokenAmount } from '../rewards/token-amount.tsx'
import { findNextStep } from './position-worth.ts'
import type { Shown } from './use-whole-list.ts'
import { useWorth } from './use-worth.ts'
import styles from './wallet-overview.module.css'

const NATIVE_DECIMALS = 9

/** What people want to know first: what the wallet is worth, and what waits for it. */
export const WalletOverview = (shown: Shown) => (
  <div className={styles.overview}>
    <Total {...shown} />
    <Waiting {...shown} />
  </div>
)

const Sol = ({ units }: { units: bigint }) => (
  <Amount units={`${units}`} decimals={NATIVE_DECIMALS} symbol="SOL" />
)

export function Total(shown: Shown) {
  const { worth, isPending, balanceState } = useWorth(shown)
  const { balance, positions, rewards, leftOut } = worth
  const hasMore = positions > 0n || rewards > 0n || leftOut > 0
  const isUnknown = balance === undefined && !hasMore
  if (isUnknown && balanceState === 'hidden') return null
  return (
    <section className={totalStyles.total}>
      <h2>
        {hasMore ? (balance === undefined ? 'Positions and rewards, about' : 'Worth about') : 'Balance'}
      </h2>
      <p className={totalStyles.amount}>
        {isPending ? (
          <Skeleton />
        ) : isUnknown ? (
          <span className={styles.unknown}>Can’t be read right now</span>
        ) : (
          <Sol units={(balance ?? 0n) + positions + rewards} />
        )}
      </p>
      {!isPending && hasMore && (
        <p className={totalStyles.parts}>
          {balance !== undefined && (
            <span>
              Balance <Sol units={balance} />
            </span>
          )}
          {positions > 0n && (
            <span>
              Positions <Sol units={positions} />
            </span>
          )}
          {rewards > 0n && (
            <span>
              Rewards <Sol units={rewards} />
            </span>
          )}
        </p>
      )}
      {!isPending && hasMore && balance === undefined && balanceState !== 'hidden' && (
        <p className={styles.note}>The balance can’t be read right now.</p>
      )}
      {balanceState === 'stale' && (
        <p className={styles.note}>The chain is not answering. This is the last known balance.</p>
      )}
      {!isPending && <Missing {...shown} leftOut={leftOut} />}
    </section>
  )
}

/** What the total leaves out. */
function Missing({ holdings, leftOut }: Shown & { leftOut: number }) {
  const isPart = holdings.next.positions !== null
  if (leftOut === 0 && !isPart) return null
  return (
    <p className={styles.note}>
      {leftOut > 0 && `Not included: ${plural(leftOut, 'position')} without a price in SOL. `}
      {isPart &&
        `Only the first ${plural(holdings.positions.length, 'position')} ${holdings.positions.length === 1 ? 'is' : 'are'} counted.`}
    </p>
  )
}

/** More are among the positions. */
const WAITING_SHOWN = 3

function Waiting({ wallet, network, holdings }: Shown) {
  const { networks } = useSite().settings
  const { account } = useWallet()
  const id = useId()
  const owed = holdings.positions.filter(position =>
    ['Get a refund', 'Claim'].includes(findNextStep(position) ?? ''),
  )
  const rewards = holdings.rewards.filter(({ claimable }) => claimable !== '0')
  const entries = [
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
    ...owed.map(position => ({
      key: position.genesisAddress,
      amount: <Owed position={position} />,
      from: <bdi>{titleOf(position)}</bdi>,
      step: findNextStep(position),
      href: `${launchHref(position.genesisAddress, network, networks)}#${TAKE_PART_ID}`,
    })),
  ]
  const left = entries.length - WAITING_SHOWN
  // The panel of the rewards has this page's main button, if there is one.
  const isMain = account?.address === wallet && rewards.length === 0
  return (
    <section className={totalStyles.total} aria-labelledby={id}>
      <h2 id={id}>Ready to collect</h2>
      {entries.length === 0 ? (
        <p className={styles.none}>
          Nothing right now.
          <NextClaim positions={holdings.positions} />
        </p>
      ) : (
        <ul className={styles.waiting}>
          {entries.slice(0, WAITING_SHOWN).map(({ key, amount, from, step, href }, at) => (
            <li key={key}>
              <span className={styles.what}>
                <b>{amount}</b> <span className={styles.from}>{from}</span>
              </span>
              <LinkButton href={href} kind={isMain && at === 0 ? 'primary' : 'quiet'}>
                {step}
              </LinkButton>
            </li>
          ))}
        </ul>
      )}
      {left > 0 && <p className={styles.note}>{left} more below</p>}
    </section>
  )
}

function Owed({ position }: { position: Position }): ReactNode {
  const { refundable, claimable, proceeds, quoteMint, quoteDecimals, baseDecimals, baseToken } = position
  if (refundable !== '0' || (claimable === '0' && proceeds !== '0'))
    return (
      <Amount
        units={refundable !== '0' ? refundable : proceeds}
        decimals={quoteDecimals}
        symbol={quoteSymbol(quoteMint)}
      />
    )
  if (claimable === '0') return 'Tokens to claim'
  return <Amount units={claimable} decimals={baseDecimals} symbol={baseToken.symbol || 'tokens'} />
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
