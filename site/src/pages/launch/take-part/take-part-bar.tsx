import type { LaunchDetail, LaunchPosition } from '@slipway/client'
import { Fragment, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { ActionBar } from '../../../components/detail-page.tsx'
import { Amount, Price } from '../../../components/figures.tsx'
import { formatUnits } from '../../../lib/format.ts'
import { isRaise } from '../../../lib/launches.ts'
import { openWalletDialog } from '../../../wallet/wallet-store.ts'
import { type TakePartProps, tokensOf } from './context.ts'
import type { KnownOffer } from './offer.ts'
import { CalendarLink, OpensIn } from './opens-later.tsx'

interface BarProps extends TakePartProps {
  offer: KnownOffer
  /** The wallet's position before its last transaction on this page. */
  before: LaunchPosition | undefined
  /** What that transaction has brought, in words. */
  said: string | undefined
  onOpen(): void
}

/** On a phone: the one figure that people decide by, and what they can do. Without a button if there is nothing to do. */
export const TakePartBar = ({ id, children, ...props }: BarProps & { id: string; children: ReactNode }) => (
  <ActionBar id={id} standing={<Standing {...props} />}>
    <MainButton {...props} />
    {children}
  </ActionBar>
)

function MainButton({ data, network, status, offer, onOpen }: BarProps) {
  const { main, position, connect, isClosed, isMissed } = offer
  if (status === 'upcoming') return <CalendarLink data={data} network={network} />
  if (main === undefined) return null
  if (main === 'connect')
    return (
      <Button kind="primary" onClick={isClosed ? onOpen : openWalletDialog} aria-haspopup="dialog">
        {isMissed ? 'Refunds' : isClosed ? 'Your tokens' : connect}
      </Button>
    )
  return (
    <Button kind={main === 'position' ? 'quiet' : 'primary'} onClick={onOpen} aria-haspopup="dialog">
      {main === 'claim' ? position && <ClaimText {...{ data, position }} /> : TEXTS[main]}
    </Button>
  )
}

const TEXTS = {
  graduate: 'Graduate',
  deposit: 'Deposit',
  trade: 'Buy or sell',
  withdraw: 'Withdraw',
  sell: 'Sell',
  position: 'Your position',
}

function Standing({ data, status, figures, offer, before, said }: BarProps): ReactNode {
  const { main, standstill, isMissed, hasPool, position, takesDeposits } = offer
  if (status === 'upcoming') return <OpensIn data={data} />
  // Until the new position is there, what the transaction brought is said.
  if (position && before?.wallet === position.wallet && before.slot < position.slot) {
    const { deposited, balance } = position
    const { quote, base } = tokensOf(data, position)
    if (takesDeposits && deposited !== '0')
      return (
        <Figure label="Your deposit">
          <Amount units={deposited} {...quote} />
        </Figure>
      )
    if (balance !== '0')
      return (
        <Figure label="You have">
          <Amount units={balance} {...base} />
        </Figure>
      )
  }
  if (said !== undefined) return <b>{said}</b>
  if (isMissed) return <Figure label="Goal missed">Refunds are open</Figure>
  if (standstill && main === undefined) return `${standstill}.`
  if (offer.waits) return <Figure label="Closed">Waiting to graduate</Figure>
  if (!figures) return null
  const { raised, price } = figures
  const { quote } = tokensOf(data, figures)
  if (isRaise(data.launch.mechanic) && (status === 'live' || hasPool === false))
    return (
      <Figure label="Raised">
        <Amount units={raised} {...quote} />
      </Figure>
    )
  return (
    price !== null && (
      <Figure label="Price">
        <Price price={price} symbol={quote.symbol} />
      </Figure>
    )
  )
}

const Figure = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    {label} <b>{children}</b>
  </>
)

interface Owed {
  data: LaunchDetail
  position: LaunchPosition
}

/** The button that gets everything the launch owes: `Claim 12.8M HERR`, `Get 3 SOL back`. */
export function ClaimText({ data, position }: Owed) {
  const { claimable, refundable, proceeds } = position
  if ([claimable, refundable, proceeds].every(units => units === '0')) return 'Start your payout'
  const isRefund = refundable !== '0'
  return (
    <span>
      {isRefund ? 'Get' : 'Claim'} <OwedText {...{ data, position }} />
      {isRefund && ' back'}
    </span>
  )
}

/** Everything that the launch owes, such as `12.8M HERR and 2 SOL`. */
export function OwedText({ data, position }: Owed) {
  const { claimable, refundable, proceeds } = position
  const { quote, base } = tokensOf(data, position)
  const owed = [
    { units: claimable, ...base },
    { units: refundable, ...quote },
    { units: proceeds, ...quote },
  ].filter(({ units }) => units !== '0')
  return owed.map(({ units, decimals, symbol }, at) => (
    <Fragment key={`${symbol} ${units}`}>
      {at > 0 && ' and '}
      <bdi>
        {formatUnits(units, decimals)} {symbol}
      </bdi>
    </Fragment>
  ))
}
