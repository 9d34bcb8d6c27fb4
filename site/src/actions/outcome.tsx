import { CircleCheck } from 'lucide-react'
import type { Action } from './action.ts'
import styles from './action-sheet.module.css'
import { type ActionState, describeDone, doneByItself, type Row } from './action-state.ts'
import { Warnings } from './costs.tsx'

/** An action's progress in one sentence. The outcome of each transaction is shown beside it. */
export function Outcome({
  state,
  wallet,
  walletName,
}: {
  state: ActionState
  wallet: string
  walletName: string
}) {
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

export const isDone = (state: ActionState): boolean =>
  state.kind === 'finished' && state.rows.every(row => row.state === 'confirmed')

/** What it brought, once everything is confirmed. */
export function Result({ state, action }: { state: Finished; action: Action }) {
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
