import type { LaunchPosition, Network } from '@slipway/client'
import { REFUSALS } from '@slipway/launch-model/actions'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import type { Action } from '../../../actions/action.ts'
import { Button } from '../../../components/button.tsx'
import { Amount, Time } from '../../../components/figures.tsx'
import { Facts, Panel } from '../../../components/layout.tsx'
import { Address } from '../../../components/text.tsx'
import { refreshConfirmed } from '../../../lib/confirmed.ts'
import { formatCount, formatShare, formatUnits, networkName } from '../../../lib/format.ts'
import { isOpenPool, nameNextClaim } from '../../../lib/launches.ts'
import { useNow } from '../../../lib/now.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import { walletHref } from '../../../lib/wallets.ts'
import { openWalletDialog, useWallet } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../launch-terms.tsx'
import { movementsQuery } from '../raised-series.ts'
import { reasonFor, say, type TakePartContext, type TakePartProps, type Token, tokensOf } from './context.ts'
import { DepositForm } from './deposit-form.tsx'
import { holdsAnything, type KnownOffer } from './offer.ts'
import { ClaimPart, GraduatePart } from './owed.tsx'
import styles from './take-part.module.css'
import { TradeForm } from './trade-form.tsx'

export interface TakePartFormProps extends TakePartProps {
  offer: KnownOffer
  /** The title of its card. Without one, it is in a sheet. */
  title?: string
  open(action: Action): void
  /** The wallet's position before its last transaction on this page. */
  before: LaunchPosition | undefined
  setBefore(position: LaunchPosition | undefined): void
  /** What that transaction has brought, in words. */
  said: string | undefined
  onBegin: TakePartContext['onBegin']
}

/** What the visitor can do with a launch now, with or without a wallet. */
export function TakePartForm({
  data,
  network,
  figures,
  offer,
  title,
  open,
  before,
  setBefore,
  said,
  onBegin,
}: TakePartFormProps) {
  const { account, connect, position, standstill, hasPool, isUnreadable } = offer
  const { owes, isClosed, isMissed, waits, canLeave, takesDeposits } = offer
  const connected = useWallet().account
  const { launch } = data
  const refresh = useRefresh(network, launch.genesisAddress)
  const known = position ?? figures
  const elsewhere = connected && !account && (
    <p className={styles.note}>
      The connected account is for {connected.networks.map(networkName).join(' and ')}. This launch is on{' '}
      {networkName(network)}.
    </p>
  )
  useReadOnReturn(network, launch.genesisAddress)
  const reading = (
    <p className={styles.note}>
      {isUnreadable ? 'The launch can’t be read right now. We keep trying.' : 'Reading the launch…'}
    </p>
  )

  if (!known)
    return (
      <Card title={title}>
        <div className={styles.form}>
          {reading}
          {elsewhere}
          {!account && (
            <Button kind="primary" onClick={openWalletDialog}>
              {connect}
            </Button>
          )}
        </div>
      </Card>
    )

  const context: TakePartContext = {
    data,
    network,
    figures,
    address: launch.genesisAddress,
    tokens: {
      genesis: launch.genesisAddress,
      baseMint: data.baseToken.address,
      baseSymbol: data.baseToken.symbol,
      baseDecimals: known.baseDecimals,
      quoteMint: known.quoteMint,
      quoteDecimals: known.quoteDecimals,
    },
    ...tokensOf(data, known),
    account,
    connect,
    position,
    open,
    onBegin,
    onConfirmed() {
      setBefore(position)
      refresh()
    },
  }
  const claim = owes && position && (
    <ClaimPart context={context} position={position} Frame={title === undefined ? SheetPart : Panel} />
  )
  return (
    <>
      {claim}
      <Card title={title}>
        <div className={styles.form}>
          {elsewhere}
          {isClosed ? (
            <Closed {...{ context, owes, isMissed, waits }} />
          ) : hasPool === undefined ? (
            reading
          ) : !hasPool ? (
            <p className={styles.note}>
              This launch has no pool of its own to trade in.
              {!account && ' Connect a wallet to see what it owes you.'}
            </p>
          ) : (
            <>
              {standstill && <StandstillNote context={context} standstill={standstill} />}
              {standstill && !canLeave ? null : takesDeposits ? (
                <DepositForm context={context} canPay={!standstill} isPrimary={!owes} />
              ) : (
                <TradeForm context={context} canPay={!standstill} isPrimary={!owes && !waits} />
              )}
            </>
          )}
          {!account && (isClosed || hasPool === false) && (
            <Button kind="primary" onClick={openWalletDialog}>
              {connect}
            </Button>
          )}
          {waits && (
            <GraduatePart context={context} isPrimary={!owes && (account !== undefined || !isClosed)} />
          )}
          {isClosed && isMissed && <RefundsSoFar context={context} />}
          {said !== undefined && (
            <p className={styles.said} role="status">
              <CircleCheck size={20} strokeWidth={1.5} aria-hidden="true" />
              <bdi>{said}</bdi>
            </p>
          )}
          {position && <PositionFacts context={context} position={position} before={before} />}
        </div>
      </Card>
    </>
  )
}

const Card = ({ title, children }: { title: string | undefined; children: ReactNode }) =>
  title === undefined ? children : <Panel title={title}>{children}</Panel>

const SheetPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles.sheetPart}>
    <h3>{title}</h3>
    {children}
  </section>
)

function Closed({
  context: { account, position },
  owes,
  isMissed,
  waits,
}: {
  context: TakePartContext
  owes: boolean
  isMissed: boolean
  /** Whether the part below says what the launch is waiting for. */
  waits: boolean
}) {
  const reason = reasonFor(position, 'claim')
  // The button for the refund says it.
  if (isMissed && owes) return null
  const visitor = isMissed
    ? 'If you took part, connect your wallet to get a refund.'
    : waits
      ? 'The launch has to graduate first. If you took part, connect your wallet to see your share.'
      : 'If you took part, connect your wallet to see what you can claim.'
  return (
    <p className={styles.note}>
      {isMissed ? 'The launch missed its goal.' : 'Deposits have ended.'}{' '}
      {!account
        ? visitor
        : !owes &&
          position &&
          (isMissed
            ? 'Nothing is left to refund to you.'
            : !waits && reason && reason !== REFUSALS.NOTHING_TO_CLAIM && `${reason}.`)}
    </p>
  )
}

/** Why there is no form: one sentence, and what happens next. */
function StandstillNote({ context, standstill }: { context: TakePartContext; standstill: string }) {
  return (
    <p className={styles.note} role="status">
      {standstill === REFUSALS.SOLD_OUT ? (
        'Every token is sold. Those who have some keep them, and can trade them once the launch has graduated into its liquidity pool.'
      ) : standstill === REFUSALS.CAP_REACHED ? (
        <>
          The cap is reached, so every token is sold. The presale closes{' '}
          <Time at={context.data.launch.endTime} />.
        </>
      ) : standstill === REFUSALS.FIRST_BUY_OPEN ? (
        <FirstBuy context={context} />
      ) : (
        `${standstill}.`
      )}
    </p>
  )
}

function FirstBuy({ context }: { context: TakePartContext }) {
  const { networks } = useSite().settings
  const { network, address, quote } = context
  const firstBuy = useTerms(network, address).data?.firstBuy
  if (!firstBuy) return 'The first buy is reserved. Trading opens to everyone after it.'
  return (
    <>
      Trading opens to everyone after the first buy, which is for {say(firstBuy.amount, quote)} and reserved
      for{' '}
      <Address
        address={firstBuy.buyer}
        network={network}
        label="the first buyer’s wallet"
        href={walletHref(firstBuy.buyer, network, networks)}
      />
    </>
  )
}

/** What the wallet has here, and what its last transaction on this page has changed. */
function PositionFacts({
  context,
  position,
  before,
}: {
  context: TakePartContext
  position: LaunchPosition
  /** As it was before that transaction. */
  before: LaunchPosition | undefined
}) {
  const { launch } = context.data
  const isShared = wordsOf(launch.mechanic).isShared
  const isOpen = isOpenPool(context.data, useNow('minute'))
  const { balance, deposited, share, entitled, claimed, nextClaim, refundable } = position
  const isOlder = before !== undefined && before.wallet === position.wallet && before.slot < position.slot
  const known = isOlder ? before : undefined
  const base = (units: string, was: string | undefined) => <Held units={units} was={was} {...context.base} />
  const hasDeposit = deposited !== '0' || (known !== undefined && known.deposited !== '0')
  if (!known && !holdsAnything(position)) return null
  return (
    <section className={styles.position} aria-label="Your position" aria-live="polite">
      <h3>Your position</h3>
      <Facts
        facts={{
          Deposited: hasDeposit && <Held units={deposited} was={known?.deposited} {...context.quote} />,
          'Share of the sale': isShared && share > 0 && refundable === '0' && formatShare(share),
          [isOpen ? 'Your tokens so far' : 'Entitled to']: entitled !== '0' && base(entitled, undefined),
          Claimed: claimed !== '0' && base(claimed, undefined),
          'In your wallet': base(balance, known?.balance),
          'Not counted': position.unreadParts > 0 && 'What is in parts that this version can’t read',
          [nameNextClaim(position, launch.graduatedAt !== null)]: nextClaim !== null && (
            <Time at={nextClaim} />
          ),
        }}
      />
    </section>
  )
}

function Held({ units, was, decimals, symbol }: Token & { units: string; was: string | undefined }) {
  const change = was === undefined ? 0n : BigInt(units) - BigInt(was)
  return (
    <>
      <Amount units={units} decimals={decimals} symbol={symbol} />
      {/* What was sold, withdrawn or refunded is said as what it brought. */}
      {change > 0n && <span className={styles.change}>+{formatUnits(change, decimals)} just now</span>}
    </>
  )
}

/** The service reads a refund a moment after it is confirmed. */
const POLL_MS = 15_000

/** How much of a launch that missed its goal has been paid back. Hidden unless all of it is known. */
function RefundsSoFar({ context }: { context: TakePartContext }) {
  const { slipway } = useSite()
  const { network, address, quote, figures } = context
  const { data: movements } = useQuery({
    ...movementsQuery(slipway, network, address),
    refetchInterval: POLL_MS,
  })
  const refunds = movements?.filter(({ kind }) => kind === 'refund')
  if (!refunds) return null
  const count = refunds.length
  const sum = refunds.reduce((all, { units }) => all + BigInt(units), 0n)
  const all = figures?.participants ?? null
  return (
    <Facts
      facts={{
        'Refunds so far': `${formatCount(count)}${all === null ? '' : ` of ${formatCount(all)}`}`,
        'Paid back': (
          <span>
            {figures && (
              <>
                <Amount units={`${sum}`} decimals={quote.decimals} />
                {' of '}
              </>
            )}
            <Amount units={figures?.raised ?? `${sum}`} {...quote} />
          </span>
        ),
      }}
    />
  )
}

/** Has everything that depends on the wallet or the launch read again. */
function useRefresh(network: Network, address: string): () => void {
  const queryClient = useQueryClient()
  return () => {
    refreshConfirmed(queryClient, [
      queryKeys.market(network, address),
      queryKeys.holders(network, address),
      // A reserved first buy is one of the terms.
      queryKeys.terms(network, address),
      queryKeys.balances(network),
      queryKeys.activities(network, address),
      queryKeys.launch(network, address),
    ])
    queryClient.removeQueries({ queryKey: ['preview', network, address] })
  }
}

/** Reads balances and positions again when someone comes back to the page: they may have traded elsewhere. */
function useReadOnReturn(network: Network, address: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    const read = () => {
      if (document.visibilityState !== 'visible') return
      // Coming back can cause both events.
      for (const queryKey of [queryKeys.market(network, address), queryKeys.balances(network)])
        void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
    }
    document.addEventListener('visibilitychange', read)
    window.addEventListener('focus', read)
    return () => {
      document.removeEventListener('visibilitychange', read)
      window.removeEventListener('focus', read)
    }
  }, [queryClient, network, address])
}
