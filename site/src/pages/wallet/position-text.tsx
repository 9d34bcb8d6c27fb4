import type { ReactNode } from 'react'
import { Amount, Time } from '../../components/figures.tsx'
import { formatShare, quoteSymbol } from '../../lib/format.ts'
import { nameNextClaim } from '../../lib/launches.ts'
import type { Position } from '../../lib/wallets.ts'
import styles from './positions.module.css'

/** What a position is, a line for each part. What waits to be claimed comes first. */
export function PositionText({ position }: { position: Position }) {
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
