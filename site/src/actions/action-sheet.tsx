import { Button, LinkButton } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { networkName } from '../lib/format.ts'
import type { WalletAccount } from '../wallet/wallet-store.ts'
import type { Action } from './action.ts'
import styles from './action-sheet.module.css'
import type { ActionState } from './action-state.ts'
import { Costs, canSign, isExtreme } from './costs.tsx'
import { listPayments } from './list-payments.ts'
import { isDone, Outcome, Result } from './outcome.tsx'
import { Payments } from './payments.tsx'
import { SheetDetails } from './sheet-details.tsx'
import { TransactionRows } from './transaction-rows.tsx'
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
      <div className={styles.body}>
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
