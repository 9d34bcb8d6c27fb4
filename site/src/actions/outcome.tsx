import type { Action } from './action.ts'
import styles from './action-sheet.module.css'
import { Warning } from './costs.tsx'
import type { ActionState, Row } from './use-action.ts'

/** Where an action is, in one sentence. What happened to each transaction is said beside it. */
export function Outcome({
  state,
  action,
  walletName,
}: {
  state: ActionState
  action: Action
  walletName: string
}) {
  switch (state.kind) {
    case 'review':
      return <Warning {...state} />
    case 'signing':
      return <p className={styles.verdict}>Waiting for {walletName} to sign…</p>
    case 'sending':
      return <p className={styles.verdict}>{state.isReachable ? describeSent(state.rows) : UNREACHABLE}</p>
    case 'finished':
      return <Verdict rows={state.rows} done={action.done} />
    default:
      return null
  }
}

const UNREACHABLE = 'The chain is not answering. Still trying. You can leave this page and look again later.'

function describeSent(rows: readonly Row[]): string {
  if (rows.length === 1 && rows[0]?.state === 'signed') return 'Signed. Sending it to the chain…'
  if (rows.length === 1) return 'Sent. The chain takes a few seconds to confirm. You can leave this page.'
  return `${countConfirmed(rows)} of ${rows.length} confirmed. This takes a few seconds. You can leave this page.`
}

const countConfirmed = (rows: readonly Row[]) => rows.filter(({ state }) => state === 'confirmed').length

function Verdict({ rows, done }: { rows: readonly Row[]; done: string }) {
  const worst = rows.find(({ state }) => state !== 'confirmed')
  if (!worst) return <p className={`${styles.verdict} ${styles.done}`}>{done}</p>
  const confirmed = countConfirmed(rows)
  return (
    <p role="alert" className={`${styles.verdict} ${styles.failed}`}>
      {confirmed > 0
        ? `${confirmed} of ${rows.length} are confirmed. ${REST[worst.state]}`
        : worst.state === 'rejected' && worst.signature
          ? 'The network did not accept it. Nothing was paid.'
          : OUTCOMES[worst.state]}
    </p>
  )
}

const OUTCOMES: Record<Row['state'], string> = {
  ready: 'It was not sent.',
  signed: 'It was signed, but no node has accepted it yet.',
  sent: 'It was sent.',
  confirmed: '',
  rejected: 'Nothing was signed or sent.',
  failed: 'It failed on the chain. Only the fee was paid.',
  expired: 'It was not executed in time, and never will be. Nothing was paid.',
  unknown: 'The chain did not answer, so the outcome is not known yet. It is looked up when you come back.',
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
  unknown: 'The outcome of the rest is not known yet. It is looked up when you come back.',
}
