import { Button, LinkButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { NETWORK_NAMES } from '../lib/format.ts'
import type { WalletAccount } from '../wallet/wallet-store.ts'
import type { Action } from './action.ts'
import styles from './action-sheet.module.css'
import { Costs, TransactionRows } from './transaction-rows.tsx'
import { type ActionState, type Row, useAction } from './use-action.ts'

/** Says what is about to be signed, lets the wallet sign it, and shows what becomes of it. */
export default function ActionSheet({
  action,
  account,
  onClose,
}: {
  action: Action
  account: WalletAccount
  onClose(): void
}) {
  const { state, start, sign } = useAction(action, account, onClose)
  return (
    <Dialog
      title={action.title}
      lead={`${NETWORK_NAMES[action.network] ?? action.network} · ${account.label ?? account.walletName}`}
      onClose={state.kind === 'signing' ? undefined : onClose}
    >
      <div className={styles.body} aria-live="polite">
        <Content state={state} action={action} walletName={account.walletName} />
      </div>
      <div className={styles.actions}>
        <Buttons
          state={state}
          walletName={account.walletName}
          next={action.next}
          {...{ start, sign, onClose }}
        />
      </div>
    </Dialog>
  )
}

function Content({ state, action, walletName }: { state: ActionState; action: Action; walletName: string }) {
  switch (state.kind) {
    case 'building':
      return <p>Building and checking the transaction…</p>
    case 'blocked':
      return <Blocked {...state} />
    case 'review':
      return (
        <>
          <TransactionRows rows={state.rows} network={action.network} />
          <Costs rows={state.rows} />
        </>
      )
    case 'signing':
      return (
        <>
          <TransactionRows rows={state.rows} network={action.network} />
          <p className={styles.verdict}>Waiting for {walletName} to sign…</p>
        </>
      )
    case 'sending':
      return (
        <>
          <TransactionRows rows={state.rows} network={action.network} />
          <p className={styles.verdict}>
            {state.isReachable
              ? 'Sent. It takes a few seconds until the chain confirms it. You may leave this page.'
              : 'The chain is not answering. Still trying. You may leave this page and look again later.'}
          </p>
        </>
      )
    case 'finished':
      return (
        <>
          <TransactionRows rows={state.rows} network={action.network} />
          <Verdict rows={state.rows} done={action.done} />
        </>
      )
  }
}

const BLOCKED_TITLES = {
  service: 'The transaction could not be built',
  unexpected: 'This is not what you asked for',
  busy: 'Another tab is doing this',
  nothing: 'Nothing to do',
}

function Blocked({ cause, text }: { cause: keyof typeof BLOCKED_TITLES; text: string }) {
  return (
    <div role="alert" className={styles.blocked}>
      <h3>{BLOCKED_TITLES[cause]}</h3>
      {text && <p>{text}</p>}
      {cause === 'unexpected' && (
        <p>
          The service built a transaction that does something else. It was not shown to your wallet, and
          nothing was signed. Tell whoever runs this service.
        </p>
      )}
      {cause === 'busy' && <p>Finish it there, or close that tab and try again.</p>}
      {cause === 'nothing' && <p>There is nothing left to claim.</p>}
    </div>
  )
}

/** The outcome in one sentence. What happened to each transaction is said beside it. */
function Verdict({ rows, done }: { rows: readonly Row[]; done: string }) {
  const confirmed = rows.filter(({ state }) => state === 'confirmed').length
  const worst = rows.find(({ state }) => state !== 'confirmed')
  if (!worst) return <p className={`${styles.verdict} ${styles.done}`}>{done}</p>
  const text = confirmed > 0 ? `${confirmed} of ${rows.length} are confirmed.` : OUTCOMES[worst.state]
  return (
    <p role="alert" className={`${styles.verdict} ${styles.failed}`}>
      {text}
    </p>
  )
}

const OUTCOMES: Record<Row['state'], string> = {
  ready: 'It was not sent.',
  sent: 'It was sent.',
  confirmed: '',
  rejected: 'Nothing was signed or sent.',
  failed: 'It failed on the chain. Only the fee was paid.',
  expired: 'It was not executed in time, and never will be. Nothing was paid.',
  unknown: 'The chain did not answer, so the outcome is not known yet. It is looked up when you come back.',
}

function Buttons({
  state,
  walletName,
  next,
  start,
  sign,
  onClose,
}: {
  state: ActionState
  walletName: string
  next: Action['next']
  start(): Promise<void>
  sign(): Promise<void>
  onClose(): void
}) {
  const again = (
    <Button kind="primary" onClick={() => void start()}>
      Try again
    </Button>
  )
  const close = (text: string) => <Button onClick={onClose}>{text}</Button>
  switch (state.kind) {
    case 'review':
      return (
        <>
          {state.rows.some(({ simulation }) => simulation?.outcome === 'fails') ? (
            again
          ) : (
            <Button kind="primary" onClick={() => void sign()}>
              Sign with {walletName}
            </Button>
          )}
          {close('Cancel')}
        </>
      )
    case 'blocked':
      return (
        <>
          {state.cause !== 'nothing' && again}
          {close('Close')}
        </>
      )
    case 'finished':
      return state.rows.every(row => row.state === 'confirmed') ? (
        next ? (
          <>
            <LinkButton href={next().href}>{next().text}</LinkButton>
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
    case 'sending':
      return close('Leave it')
    default:
      return state.kind === 'building' && close('Cancel')
  }
}
