import { CircleCheck } from 'lucide-react'
import { Button, LinkButton } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { networkName } from '../lib/format.ts'
import type { WalletAccount } from '../wallet/wallet-store.ts'
import type { Action } from './action.ts'
import styles from './action-sheet.module.css'
import { type ActionState, describeDone, doneByItself, type Row } from './action-state.ts'
import { listPayments, type PaymentLine } from './costs.ts'
import { Costs, canSign, isExtreme, SheetDetails, TransactionRows, Warnings } from './transaction-rows.tsx'
import { useAction } from './use-action.ts'

/** Says what is about to be signed, lets the wallet sign it, and shows the outcome. */
export default function ActionSheet({
  action,
  account,
  onClose,
}: {
  action: Action
  account: WalletAccount
  onClose(): void
}) {
  const { state, start, sign, stopAsking } = useAction(action, account, onClose)
  return (
    <Dialog
      title={action.title}
      lead={`${networkName(action.network)} · ${account.label ?? account.walletName}`}
      onClose={state.kind === 'signing' ? undefined : onClose}
    >
      <div className="stack gap-4">
        <div className={styles.outcome} aria-live="polite">
          {state.kind === 'finished' && isDone(state) && <Result state={state} action={action} />}
        </div>
        <Content state={state} action={action} wallet={account.address} />
      </div>
      <DialogActions>
        <div className={styles.outcome} aria-live="polite">
          <Outcome state={state} wallet={account.address} walletName={account.walletName} />
        </div>
        <Buttons
          {...{ state, action, start, sign, stopAsking, onClose }}
          wallet={account.address}
          walletName={account.walletName}
        />
      </DialogActions>
    </Dialog>
  )
}

function Content({ state, action, wallet }: { state: ActionState; action: Action; wallet: string }) {
  switch (state.kind) {
    case 'building':
      return <p role="status">Building and checking the transaction…</p>
    case 'blocked':
      return <Blocked {...state} />
    default: {
      const costs = state.kind !== 'finished' && <Costs {...state} isSent={state.kind === 'sending'} />
      const hasGroups = state.rows.every(({ group }) => group)
      return (
        <>
          {!isDone(state) && (
            <>
              <Payments lines={listPayments(state, action, wallet)} />
              <Note {...action} />
            </>
          )}
          {/* A list of many comes after what they add up to. */}
          {hasGroups && costs}
          <TransactionRows {...state} network={action.network} wallet={wallet} />
          {!hasGroups && costs}
          <SheetDetails rows={state.rows} />
        </>
      )
    }
  }
}

function Note({ note }: Pick<Action, 'note'>) {
  const text = typeof note === 'function' ? note() : note
  return text ? <p className={styles.verdict}>{text}</p> : null
}

const BLOCKED_TITLES = {
  service: 'The transaction could not be built',
  unexpected: 'This is not what you asked for',
  busy: 'Another tab is doing this',
  done: 'Another tab has done this',
  earlier: 'An earlier transaction is still pending',
  nothing: 'Nothing to do',
}

function Blocked({ cause, text }: { cause: keyof typeof BLOCKED_TITLES; text: string }) {
  return (
    <div role="alert" className={styles.blocked}>
      <h3>{BLOCKED_TITLES[cause]}</h3>
      {text && <p>{text}</p>}
      {cause === 'unexpected' && (
        <p>
          The service built a transaction that does something else. Your wallet was not asked to sign it, and
          nothing was signed. Please tell the operator of this site.
        </p>
      )}
      {cause === 'busy' && <p>Finish in that tab, or close it and try again.</p>}
      {cause === 'done' && <p>Nothing was signed in this tab. To do it once more, open the form again.</p>}
      {cause === 'nothing' && <p>There is nothing left to sign.</p>}
    </div>
  )
}

function Buttons({
  state,
  action,
  wallet,
  walletName,
  start,
  sign,
  stopAsking,
  onClose,
}: {
  state: ActionState
  action: Action
  wallet: string
  walletName: string
  start(): Promise<void>
  sign(): Promise<void>
  stopAsking(): void
  onClose(): void
}) {
  const isPartial = state.kind === 'finished' && state.rows.some(row => row.state === 'confirmed')
  const again = (
    <Button kind="primary" onClick={() => void start()}>
      {(isPartial && action.rest) || 'Try again'}
    </Button>
  )
  const close = (text: string) => <Button onClick={onClose}>{text}</Button>
  switch (state.kind) {
    case 'review':
      return (
        <>
          {canSign(state) ? (
            <Button kind={isExtreme(state, wallet) ? 'quiet' : 'primary'} onClick={() => void sign()}>
              {isExtreme(state, wallet) ? 'Sign anyway' : 'Sign'} with {walletName}
            </Button>
          ) : (
            again
          )}
          {close('Cancel')}
        </>
      )
    case 'blocked':
      return (
        <>
          {state.cause !== 'nothing' && state.cause !== 'done' && again}
          {close('Close')}
        </>
      )
    case 'finished':
      return isDone(state) ? (
        action.next ? (
          <>
            <LinkButton href={action.next().href}>{action.next().text}</LinkButton>
            {close('Close')}
          </>
        ) : (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        )
      ) : (
        <>
          {state.rows.every(row => row.state !== 'unknown') && again}
          {close('Close')}
        </>
      )
    case 'signing':
      return <Button onClick={stopAsking}>Stop waiting</Button>
    case 'sending':
      return close('Close and check later')
    case 'building':
      return close('Cancel')
  }
}

/** What is paid and what arrives, before everything else. */
function Payments({ lines }: { lines: readonly PaymentLine[] }) {
  if (lines.length === 0) return null
  return (
    <dl className={styles.payments}>
      {lines.map(({ label, amount, exact, note, isDoubtful, isFee }) => (
        <div key={label} className={isFee ? styles.fee : undefined}>
          <dt>{label}</dt>
          <dd>
            <bdi title={exact}>{amount}</bdi>
            {note && (
              <span className={styles.note} data-doubtful={isDoubtful && 'yes'}>
                <bdi>{note}</bdi>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** An action's progress in one sentence. The outcome of each transaction is shown beside it. */
function Outcome({ state, wallet, walletName }: { state: ActionState; wallet: string; walletName: string }) {
  switch (state.kind) {
    case 'review':
      return <Warnings {...state} wallet={wallet} />
    case 'signing':
      return <p className={styles.verdict}>Waiting for {walletName} to sign…</p>
    case 'sending':
      return <p className={styles.verdict}>{describeSending(state)}</p>
    case 'finished':
      return isDone(state) ? null : <Failed rows={state.rows} />
    default:
      return null
  }
}

type Finished = Extract<ActionState, { kind: 'finished' }>

const isDone = (state: ActionState): boolean =>
  state.kind === 'finished' && state.rows.every(row => row.state === 'confirmed')

/** What it brought, once everything is confirmed. */
function Result({ state, action }: { state: Finished; action: Action }) {
  const own = doneByItself(state.rows)
  const text = describeDone(state, action)
  return (
    <div className={styles.result}>
      <CircleCheck size={24} strokeWidth={1.5} aria-hidden="true" />
      <p>
        <bdi>{text}</bdi>
        {own !== undefined && own !== text && <small>{own}</small>}
      </p>
    </div>
  )
}

/** Only this page can send the signed transactions. It may be left once nodes have accepted all of them. */
export function describeSending({
  rows,
  isReachable,
}: {
  rows: readonly Row[]
  isReachable: boolean
}): string {
  if (countConfirmed(rows) === rows.length) return 'Confirmed. Reading what arrived…'
  const isSent = rows.every(({ state }) => state !== 'ready' && state !== 'signed')
  if (!isReachable)
    return isSent
      ? 'The chain is not answering. We keep trying. You can leave this page and come back later.'
      : 'The chain is not answering. We keep trying to send the transaction, so keep this page open.'
  if (rows.length === 1)
    return isSent
      ? 'Sent. Waiting for the chain to confirm it. You can leave this page.'
      : 'Signed. Sending the transaction to the chain…'
  const advice = isSent ? 'You can leave this page.' : 'Keep this page open until all are sent.'
  return `${countConfirmed(rows)} of ${rows.length} confirmed. ${advice}`
}

const countConfirmed = (rows: readonly Row[]) => rows.filter(({ state }) => state === 'confirmed').length

function Failed({ rows }: { rows: readonly Row[] }) {
  const worst = rows.find(({ state }) => state !== 'confirmed')
  if (!worst) return null
  const confirmed = countConfirmed(rows)
  return (
    <p role="alert" className={`${styles.verdict} ${styles.failed}`}>
      {confirmed > 0
        ? `${confirmed} of ${rows.length} are confirmed. ${REST[worst.state]}`
        : worst.state !== 'rejected'
          ? OUTCOMES[worst.state]
          : worst.signature
            ? 'The network did not accept the transaction. Nothing was paid.'
            : describeRefusal(worst.reason)}
    </p>
  )
}

/** In the wallet's words, if it has any. */
const describeRefusal = (reason = ''): string =>
  reason === '' ? 'Nothing was signed or sent.' : `${reason.replace(/\.$/, '')}. Nothing was sent.`

const OUTCOMES: Record<Exclude<Row['state'], 'rejected'>, string> = {
  ready: 'The transaction was not sent.',
  signed: 'The transaction was signed, but no node has accepted it yet.',
  sent: 'The transaction was sent.',
  confirmed: '',
  failed: 'The transaction failed on the chain. Only the fee was paid.',
  expired: 'The transaction was not executed in time, and never will be. Nothing was paid.',
  unknown: 'The chain did not answer, so the outcome is not known yet. We check again when you come back.',
}

/** The same for what is left, if some are confirmed. */
const REST: Record<Row['state'], string> = {
  ready: 'The rest was not sent.',
  signed: 'The rest was signed, but no node has accepted it yet.',
  sent: 'The rest was sent.',
  confirmed: '',
  rejected: 'The rest was not accepted, and nothing was paid for it.',
  failed: 'The rest failed on the chain. Only the fee was paid for it.',
  expired: 'The rest was not executed in time, and never will be. Nothing was paid for it.',
  unknown: 'The outcome of the rest is not known yet. We check again when you come back.',
}
