import { REFUSALS } from '@slipway/launch-model/actions'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../components/button.tsx'
import { networkName } from '../../../lib/format.ts'
import { hasMissedGoal, isRaise } from '../../../lib/launches.ts'
import { useNow } from '../../../lib/now.ts'
import { hasPoolQuery, positionQuery } from '../../../lib/queries.ts'
import { useSite } from '../../../lib/site-context.ts'
import { openWalletDialog, useWallet } from '../../../wallet/wallet-store.ts'
import { useTerms } from '../terms/launch-terms.tsx'
import { ClaimPart } from './claim-part.tsx'
import { DepositForm } from './deposit-form.tsx'
import { GraduatePart } from './graduate-part.tsx'
import { PositionFacts } from './position-facts.tsx'
import { RefundsSoFar } from './refunds-so-far.tsx'
import { StandstillNote } from './standstill-note.tsx'
import styles from './take-part.module.css'
import { type ActionName, reasonFor, type TakePartFormProps, type Taking, useRefresh } from './taking.ts'
import { TradeForm } from './trade-form.tsx'
import { useReadOnReturn } from './use-read-on-return.ts'

/** What the visitor can do with a launch now, with or without a wallet. */
export function TakePartForm({
  data,
  status,
  network,
  figures,
  standstill,
  open,
  before,
  setBefore,
}: TakePartFormProps) {
  const { slipway } = useSite()
  const connected = useWallet().account
  const account = connected?.networks.includes(network) ? connected : undefined
  const { genesisAddress, mechanic, endTime } = data.launch
  const query = useQuery({
    ...positionQuery(slipway, network, genesisAddress, account?.address ?? ''),
    enabled: account !== undefined,
  })
  const position = account && query.data
  const refresh = useRefresh({ network, data })
  const nowMs = useNow('second')
  const tokens = position ?? figures
  const connect = connected ? `Choose a ${networkName(network)} account` : 'Connect a wallet'
  const elsewhere = connected && !account && (
    <p className={styles.note}>
      The connected account is for {connected.networks.map(networkName).join(' and ')}. This launch is on{' '}
      {networkName(network)}.
    </p>
  )
  useReadOnReturn(network, genesisAddress)
  const takesDeposits = isRaise(mechanic) && status !== 'graduated'
  const mayLackPool = isRaise(mechanic) && status === 'graduated'
  const { data: hasPool = !mayLackPool, isPending: isUnsure } = useQuery({
    ...hasPoolQuery(slipway, network, genesisAddress),
    enabled: mayLackPool,
  })

  const becomesPool = useTerms(network, genesisAddress).data?.hasPool

  if (!tokens)
    return (
      <div className={styles.form}>
        <p className={styles.note}>
          {query.isError ? 'The launch can’t be read right now. We keep trying.' : 'Reading the launch…'}
        </p>
        {elsewhere}
        {!account && (
          <Button kind="primary" onClick={openWalletDialog}>
            {connect}
          </Button>
        )}
      </div>
    )

  const taking: Taking = {
    data,
    network,
    tokens,
    account,
    connect,
    position,
    open,
    onConfirmed() {
      setBefore(position)
      refresh()
    },
  }
  const actionOf = (name: ActionName) => position?.actions.find(({ action }) => action === name)
  const owes =
    position &&
    (actionOf('claim')?.available ||
      [position.claimable, position.refundable, position.proceeds].some(one => one !== '0'))
  // The chain's clock decides. The reader's own may be wrong.
  const deposit = actionOf('deposit')
  const hasEnded = deposit ? deposit.reason === REFUSALS.DEPOSITS_ENDED : Date.parse(endTime) <= nowMs
  const isClosed = takesDeposits && hasEnded
  const isMissed = hasMissedGoal(data, figures, nowMs)
  const hasWaited = [reasonFor(position, 'claim'), reasonFor(position, 'buy')].some(
    reason => reason === REFUSALS.NOT_GRADUATED || reason === REFUSALS.SOLD_OUT,
  )
  const waits =
    status !== 'graduated' &&
    (isRaise(mechanic) ? isClosed && !isMissed : standstill === 'SOLD_OUT') &&
    (position ? hasWaited : becomesPool === true)
  // What is left to those who hold something.
  const canLeave =
    (actionOf('withdraw')?.available && position?.deposited !== '0') ||
    (actionOf('sell')?.available && position?.balance !== '0')
  return (
    <div className={styles.form}>
      {owes && <ClaimPart taking={taking} position={position} />}
      {elsewhere}
      {isClosed ? (
        <Closed taking={taking} owes={owes === true} isMissed={isMissed} />
      ) : isUnsure && mayLackPool ? (
        <p className={styles.note}>Reading the launch…</p>
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
      {waits && <GraduatePart taking={taking} isPrimary={!owes} />}
      {!account && (isClosed || !hasPool) && (
        <Button kind={waits ? 'quiet' : 'primary'} onClick={openWalletDialog}>
          {connect}
        </Button>
      )}
      {isClosed && isMissed && <RefundsSoFar {...{ taking, figures }} />}
      {position && <PositionFacts taking={taking} position={position} before={before} />}
    </div>
  )
}

function Closed({
  taking: { account, position },
  owes,
  isMissed,
}: {
  taking: Taking
  owes: boolean
  isMissed: boolean
}) {
  const reason = reasonFor(position, 'claim')
  // The button for the refund says it.
  if (isMissed && owes) return null
  return (
    <p className={styles.note}>
      {isMissed ? 'The launch missed its goal.' : 'Deposits have ended.'}{' '}
      {!account
        ? `If you took part, connect your wallet to ${isMissed ? 'get a refund' : 'see what you can claim'}.`
        : !owes &&
          position &&
          (isMissed
            ? 'It owes you nothing.'
            : reason && reason !== REFUSALS.NOTHING_TO_CLAIM && `${reason}.`)}
    </p>
  )
}
