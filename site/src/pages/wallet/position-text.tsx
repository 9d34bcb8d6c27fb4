import { Fragment, type ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Time } from '../../components/time.tsx'
import { formatShare, quoteSymbol } from '../../lib/format.ts'
import type { Position } from '../../lib/wallets.ts'
import styles from './wallet.module.css'

/** A position in words: what it is, and in bold what waits to be claimed. */
export function PositionText({ position }: { position: Position }) {
  const { baseToken, quoteMint, quoteDecimals, baseDecimals } = position
  const { deposited, share, balance, claimable, claimed, refundable, proceeds, nextClaim } = position
  const quote = (units: string) => (
    <Amount units={units} decimals={quoteDecimals} symbol={quoteSymbol(quoteMint)} />
  )
  const base = (units: string) => (
    <Amount units={units} decimals={baseDecimals} symbol={baseToken.symbol || 'tokens'} />
  )
  const phrases: [name: string, text: ReactNode][] = [
    [
      'deposited',
      deposited !== '0' && (
        <>
          Deposited {quote(deposited)}
          {share > 0 && `, ${formatShare(share)} of the sale`}
        </>
      ),
    ],
    ['balance', balance !== '0' && <>Holds {base(balance)}</>],
    ['claimed', claimed !== '0' && <>Claimed {base(claimed)}</>],
    ['claimable', claimable !== '0' && <b>Can claim {base(claimable)}</b>],
    ['refundable', refundable !== '0' && <b>Can get {quote(refundable)} back</b>],
    ['proceeds', proceeds !== '0' && <b>Can claim {quote(proceeds)} of what was raised</b>],
    [
      'next',
      nextClaim !== null && (
        <>
          More to claim <Time at={nextClaim} />
        </>
      ),
    ],
  ]
  const told = phrases.filter(([, text]) => text !== false)
  if (told.length === 0) return 'An empty token account'
  return told.map(([name, text], at) => (
    <Fragment key={name}>
      {at > 0 && ' · '}
      <span className={styles.phrase}>{text}</span>
    </Fragment>
  ))
}
