import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { CloseButton } from '../components/button.tsx'
import { ExternalLink } from '../components/text.tsx'
import { noteConfirmed } from '../lib/confirmed.ts'
import { plural } from '../lib/format.ts'
import { explorerUrl } from '../lib/links.ts'
import { describeExpiry, fetchBlockHeight, fetchStatuses } from '../lib/rpc.ts'
import { useSite } from '../lib/site-context.ts'
import { forgetDraft } from '../lib/use-draft.ts'
import {
  isSame,
  onPendingChanged,
  type PendingAction,
  readPending,
  removePending,
  runNext,
  settlePending,
} from './pending.ts'
import styles from './pending-notices.module.css'

const POLL_MS = 1_500

interface Outcome {
  confirmed: number
  failed: number
  /** Never executed, and never will be. */
  expired: number
}

/** Shows the outcome of transactions whose tab was closed or reloaded before the outcome was known. */
export function PendingNotices() {
  const [actions, setActions] = useState(readPending)
  // A known action stays the same object, so that its look-up continues.
  useEffect(
    () =>
      onPendingChanged(() =>
        setActions(known => readPending().map(one => known.find(other => isSame(one, other)) ?? one)),
      ),
    [],
  )
  if (actions.length === 0) return null
  return (
    <div className={styles.notices}>
      {actions.map(action => (
        <PendingNotice key={action.signatures[0]} action={action} />
      ))}
    </div>
  )
}

function PendingNotice({ action }: { action: PendingAction }) {
  const { settings } = useSite()
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  const [isShown, setShown] = useState(false)
  const [expiry, setExpiry] = useState<string>()
  const rpc = settings.rpc[action.network]
  useEffect(() => {
    if (!rpc) return undefined
    const controller = new AbortController()
    const { signal } = controller
    // While it is open, the tab that sent them looks up the outcome.
    runNext(action.key, signal, async () => {
      if (!readPending().some(one => isSame(one, action))) return
      setShown(true)
      void describeExpiry(rpc.url, action.lastValidBlockHeight, signal).then(setExpiry)
      const found = await waitForOutcome(rpc.url, action, signal)
      setOutcome(found)
      settlePending(action)
      if (action.draft !== undefined && found.confirmed === action.signatures.length)
        forgetDraft(action.draft)
      await queryClient.invalidateQueries()
    }).catch(() => {
      // The page was left.
    })
    return () => controller.abort()
  }, [action, rpc, queryClient])
  if (!isShown) return null
  const { title, signatures, network, next, resume } = action
  return (
    <section className={styles.notice} role="status">
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p>
          {outcome
            ? describe(outcome, signatures.length, resume !== undefined)
            : `${action.isSent ? 'Sent' : 'Signed'} before you left this page. Checking what happened${expiry === undefined ? '' : `, within ${expiry}`}…`}
        </p>
        {outcome && next && outcome.confirmed === signatures.length && (
          <p>
            <Link href={next.href}>{next.text}</Link>
          </p>
        )}
        {outcome && resume && (
          <p>
            <Link href={resume.href}>{resume.text}</Link>
          </p>
        )}
        {outcome && outcome.confirmed + outcome.failed > 0 && (
          <p>
            <ExternalLink
              url={explorerUrl(`tx/${signatures[0]}`, network, settings)}
              text="View in explorer"
            />
          </p>
        )}
      </div>
      <CloseButton label="Dismiss" onClick={() => removePending(action.key)} />
    </section>
  )
}

async function waitForOutcome(
  url: string,
  { network, signatures, lastValidBlockHeight, wallets = [] }: PendingAction,
  signal: AbortSignal,
): Promise<Outcome> {
  for (;;) {
    signal.throwIfAborted()
    try {
      // The height is read before the statuses: past the last valid height, an unknown transaction will never be known.
      const height = await fetchBlockHeight(url, signal)
      const statuses = await fetchStatuses(url, signatures, signal)
      const isSettled = (status: (typeof statuses)[number]) =>
        status ? status.confirmationStatus !== 'processed' : height > lastValidBlockHeight
      if (statuses.every(isSettled)) {
        noteConfirmed(network, wallets, Math.max(...statuses.map(status => status?.slot ?? 0)))
        return {
          confirmed: statuses.filter(status => status && !status.err).length,
          failed: statuses.filter(status => status?.err).length,
          expired: statuses.filter(status => !status).length,
        }
      }
    } catch {
      // The RPC may come back.
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

/** An action that can be continued must not be done again. */
function describe({ confirmed, failed, expired }: Outcome, total: number, canResume: boolean): string {
  if (confirmed === total) return total === 1 ? 'Confirmed.' : `All ${total} transactions are confirmed.`
  if (total === 1 && failed) return 'It failed on the chain.'
  if (total === 1) return canResume ? 'It was never executed.' : 'It was never executed. You can do it again.'
  return [
    `${confirmed} of ${total} transactions are confirmed`,
    ...(failed ? [`${plural(failed, 'transaction')} failed`] : []),
    ...(expired ? [`${expired} never executed${canResume ? '' : ': do the rest again'}`] : []),
  ].join('; ')
}
