import {
  type ErrorDetail,
  type OwnerChange,
  type OwnerSignature,
  SlipwayError,
  signOwnerChange,
} from '@slipway/client'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../components/button.tsx'
import { DialogActions } from '../components/dialog.tsx'
import { Facts } from '../components/layout.tsx'
import { SignedText } from '../components/text.tsx'
import { cut } from '../lib/parse-json.ts'
import type { WalletAccount } from '../wallet/wallet-store.ts'
import type { ChangedPart } from './changed-part.ts'
import styles from './sign-change.module.css'

/** All nodes serve a change within a second. */
const SERVED_MS = 1_200

/** The last step of a change that an owner signs: what changes, the exact text, the wallet, and the outcome. */
export function SignChange({
  account,
  parts,
  consequence,
  saved,
  queryKey,
  onInvalid,
  onBack,
  onClose,
  ...signed
}: SignedChange & {
  account: WalletAccount
  /** What changes, for the person to compare. */
  parts: readonly ChangedPart[]
  /** Further effects of the change. */
  consequence?: string | undefined
  /** What to say when it is saved. */
  saved: string
  /** What the page shows of it. */
  queryKey: QueryKey
  /** Called with the faults of the value. Nothing has been signed then. */
  onInvalid(details: readonly ErrorDetail[]): void
  onBack(): void
  onClose(): void
}) {
  const queryClient = useQueryClient()
  const refresh = () => void queryClient.invalidateQueries({ queryKey })
  const { state, again } = useSignChange(signed, account, {
    onSaved() {
      refresh()
      setTimeout(refresh, SERVED_MS)
    },
    onInvalid,
  })
  const { walletName } = account
  return (
    <>
      <div className="column gap-4" aria-live="polite">
        {state.kind === 'saved' ? (
          <p className="strong live-ink">{[saved, state.remark].filter(Boolean).join(' ')}</p>
        ) : (
          <>
            {(state.kind === 'review' || state.kind === 'signing') && (
              <>
                <ChangeList parts={parts} />
                {consequence && <p>{consequence}</p>}
              </>
            )}
            <Progress state={state} walletName={walletName} />
          </>
        )}
      </div>
      <DialogActions>
        {state.kind === 'review' && (
          <Button kind="primary" onClick={state.sign}>
            Sign with {walletName}
          </Button>
        )}
        {state.kind === 'failed' && (
          <Button kind="primary" onClick={again}>
            Sign again
          </Button>
        )}
        {state.kind === 'saved' ? (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <Button disabled={state.kind === 'signing' || state.kind === 'saving'} onClick={onBack}>
            Back
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** The buttons of the form before it. */
export const ReviewActions = ({ onCancel }: { onCancel(): void }) => (
  <DialogActions>
    <Button kind="primary" type="submit">
      Review the text to sign
    </Button>
    <Button onClick={onCancel}>Cancel</Button>
  </DialogActions>
)

const DIGEST = /^sha256: /m

function Progress({
  state,
  walletName,
}: {
  state: Exclude<SignState, { kind: 'saved' }>
  walletName: string
}) {
  switch (state.kind) {
    case 'checking':
      return <p>Checking it with the service…</p>
    case 'review':
    case 'signing':
      return (
        <>
          <p>
            {state.kind === 'review'
              ? `Your wallet signs exactly this text. It moves no funds and costs nothing.${DIGEST.test(state.text) ? ' The sha256 is a fingerprint of the change above.' : ''}`
              : `Waiting for ${walletName} to sign…`}
          </p>
          <SignedText text={state.text} />
        </>
      )
    case 'saving':
      return <p>Signed. The service compares the signer with the chain…</p>
    case 'failed':
      return (
        <p role="alert" className="failure">
          {state.text}
        </p>
      )
  }
}

export interface SignedChange {
  change: OwnerChange
  /** Sends it. May return a sentence to add to the outcome. */
  send(signed: OwnerSignature): Promise<string | undefined>
}

type SignState =
  /** The service is asked whether it would accept the change. */
  | { kind: 'checking' }
  /** The text that will be signed. */
  | { kind: 'review'; text: string; sign(): void }
  | { kind: 'signing'; text: string }
  | { kind: 'saving' }
  | { kind: 'saved'; remark: string | undefined }
  | { kind: 'failed'; text: string }

/** Has the connected wallet sign a change, after the person has seen the text, and sends it. */
function useSignChange(
  { change, send }: SignedChange,
  account: WalletAccount,
  { onSaved, onInvalid }: { onSaved(): void; onInvalid(details: readonly ErrorDetail[]): void },
) {
  const [state, setState] = useState<SignState>({ kind: 'checking' })
  const [attempt, setAttempt] = useState(0)
  // The values at opening count, however often the page renders meanwhile.
  const given = useRef({ change, send, account, onSaved, onInvalid })

  useEffect(() => {
    const { change, send, account, onSaved, onInvalid } = given.current
    let isShown = true
    const show = (next: SignState) => isShown && setState(next)

    async function run() {
      show({ kind: 'checking' })
      if (attempt === 0) await assertAcceptable(change, send, account.address)
      const signed = await signOwnerChange(change, {
        address: account.address,
        async signMessage(message) {
          const text = new TextDecoder().decode(message)
          await new Promise<void>(resolve => show({ kind: 'review', text, sign: resolve }))
          show({ kind: 'signing', text })
          try {
            return await (account.signMessage as NonNullable<typeof account.signMessage>)(message)
          } catch (cause) {
            throw new NotSigned(`${account.walletName} did not sign`, { cause })
          }
        },
      })
      // Closing the dialog cancels the change, even if the wallet signs later.
      if (!isShown) return
      show({ kind: 'saving' })
      const remark = await send(signed)
      show({ kind: 'saved', remark })
      onSaved()
    }

    run().catch(error => {
      if (!isShown) return
      if (error instanceof SlipwayError && error.details) onInvalid(error.details)
      else show({ kind: 'failed', text: explain(error) })
    })
    return () => {
      isShown = false
    }
  }, [attempt])

  return { state, again: () => setAttempt(attempt + 1) }
}

class NotSigned extends Error {}

/** 64 zero bytes in base58. */
const NO_SIGNATURE = '1'.repeat(64)

/**
 * Only the service knows all the rules for a card: which URLs and keys are its own, and the schema of cards. It
 * checks a card before it looks at the signature. So its faults are known before the wallet is asked: only a card
 * that would be accepted is refused for its signature. The forms of other changes find every fault themselves.
 */
async function assertAcceptable(
  change: OwnerChange,
  send: SignedChange['send'],
  owner: string,
): Promise<void> {
  if (change.purpose !== 'replace agent card') return
  const nonce = `check-${crypto.randomUUID()}`
  try {
    await send({ owner, issuedAt: new Date().toISOString(), nonce, signature: NO_SIGNATURE })
  } catch (error) {
    if (!(error instanceof SlipwayError) || error.code !== 'INVALID_SIGNATURE') throw error
  }
}

function explain(error: unknown): string {
  if (error instanceof NotSigned)
    return `${error.message}: ${(error.cause as Error | undefined)?.message ?? 'no reason given'}. Nothing was changed.`
  if (!(error instanceof SlipwayError)) return `${(error as Error).message}. Nothing was changed.`
  if (error.status === 0)
    return 'The service did not answer, so it is not known whether the change was saved. Look at the page, and sign again if it was not.'
  return REASONS[error.status] ?? `${error.message}. Nothing was changed.`
}

const REASONS: Record<number, string> = {
  401: 'The signature is not valid any more: it was used before, it is older than five minutes, or a newer change was saved. Sign again.',
  403: 'The chain says that this wallet may not change it: it is not the owner, or no longer is. Nothing was changed.',
  404: 'This service does not list it any more. Nothing was changed.',
  413: 'It is too large: the whole request is limited to 64 KiB. Nothing was changed.',
  429: 'Too many requests from your internet connection. Wait a minute, then sign again.',
  503: 'The service or the chain is not answering. Nothing was changed. Sign again in a moment.',
}

const LENGTH_MAX = 300

/** What changes, from what to what. The text that is signed has only a digest of it. */
const ChangeList = ({ parts }: { parts: readonly ChangedPart[] }) => (
  <div className={styles.list}>
    <Facts
      facts={parts.map((part): [string, ReactNode] => [part.name, <Change key={part.name} {...part} />])}
    />
  </div>
)

function Change({ before, after, isChanged }: ChangedPart) {
  if (before === after)
    return (
      <>
        <Value text={after} /> <span className="faint">{isChanged ? 'with changes' : 'unchanged'}</span>
      </>
    )
  return (
    <>
      <del className={styles.before}>
        <Value text={before} />
      </del>{' '}
      <span className="faint">→</span>{' '}
      <ins className={styles.after}>
        <Value text={after} />
      </ins>
    </>
  )
}

const Value = ({ text }: { text: string | undefined }) =>
  text === undefined ? <span className="faint">none</span> : <bdi>{cut(text, LENGTH_MAX)}</bdi>
