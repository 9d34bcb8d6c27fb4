import type { LaunchPosition } from '@slipway/client'
import { REFUSALS } from '@slipway/launch-model/actions'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Action } from '../../../actions/action.ts'
import { Button } from '../../../components/button.tsx'
import { Panel } from '../../../components/panel.tsx'
import { networkName } from '../../../lib/format.ts'
import { openWalletDialog, useWallet } from '../../../wallet/wallet-store.ts'
import { ClaimPart } from './claim-part.tsx'
import { DepositForm } from './deposit-form.tsx'
import { GraduatePart } from './graduate-part.tsx'
import { PositionFacts } from './position-facts.tsx'
import { RefundsSoFar } from './refunds-so-far.tsx'
import { StandstillNote } from './standstill-note.tsx'
import styles from './take-part.module.css'
import { reasonFor, type TakePartProps, type Taking, useRefresh } from './taking.ts'
import { TradeForm } from './trade-form.tsx'
import type { KnownOffer } from './use-offer.ts'
import { useReadOnReturn } from './use-read-on-return.ts'

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
  onBegin: Taking['onBegin']
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
  const refresh = useRefresh({ network, data })
  const tokens = position ?? figures
  const elsewhere = connected && !account && (
    <p className={styles.note}>
      The connected account is for {connected.networks.map(networkName).join(' and ')}. This launch is on{' '}
      {networkName(network)}.
    </p>
  )
  useReadOnReturn(network, data.launch.genesisAddress)
  const reading = (
    <p className={styles.note}>
      {isUnreadable ? 'The launch can’t be read right now. We keep trying.' : 'Reading the launch…'}
    </p>
  )

  if (!tokens)
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

  const taking: Taking = {
    data,
    network,
    tokens,
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
    <ClaimPart taking={taking} position={position} Frame={title === undefined ? SheetPart : Panel} />
  )
  return (
    <>
      {claim}
      <Card title={title}>
        <div className={styles.form}>
          {elsewhere}
          {isClosed ? (
            <Closed {...{ taking, owes, isMissed, waits }} />
          ) : hasPool === undefined ? (
            reading
          ) : !hasPool ? (
            <p className={styles.note}>
              This launch has no pool of its own to trade in.
              {!account && ' Connect a wallet to see what it owes you.'}
            </p>
          ) : (
            <>
              {standstill && <StandstillNote taking={taking} standstill={standstill} />}
              {standstill && !canLeave ? null : takesDeposits ? (
                <DepositForm taking={taking} figures={figures} canPay={!standstill} isPrimary={!owes} />
              ) : (
                <TradeForm taking={taking} canPay={!standstill} isPrimary={!owes && !waits} />
              )}
            </>
          )}
          {!account && (isClosed || hasPool === false) && (
            <Button kind="primary" onClick={openWalletDialog}>
              {connect}
            </Button>
          )}
          {waits && (
            <GraduatePart taking={taking} isPrimary={!owes && (account !== undefined || !isClosed)} />
          )}
          {isClosed && isMissed && <RefundsSoFar {...{ taking, figures }} />}
          {said !== undefined && (
            <p className={styles.said} role="status">
              <CircleCheck size={20} strokeWidth={1.5} aria-hidden="true" />
              <bdi>{said}</bdi>
            </p>
          )}
          {position && <PositionFacts taking={taking} position={position} before={before} />}
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
  taking: { account, position },
  owes,
  isMissed,
  waits,
}: {
  taking: Taking
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
