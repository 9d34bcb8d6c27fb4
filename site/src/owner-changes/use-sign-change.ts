import {
  type ErrorDetail,
  type OwnerChange,
  type OwnerSignature,
  SlipwayError,
  signOwnerChange,
} from '@slipway/client'
import { useEffect, useRef, useState } from 'react'
import type { WalletAccount } from '../wallet/wallet-store.ts'

export interface SignedChange {
  change: OwnerChange
  /** Sends it. May return a sentence to add to the outcome. */
  send(signed: OwnerSignature): Promise<string | undefined>
}

export type SignState =
  /** The service is asked whether it would accept the change. */
  | { kind: 'checking' }
  /** The text that will be signed. */
  | { kind: 'review'; text: string; sign(): void }
  | { kind: 'signing'; text: string }
  | { kind: 'saving' }
  | { kind: 'saved'; remark: string | undefined }
  | { kind: 'failed'; text: string }

/** Has the connected wallet sign a change, after the person has seen the text, and sends it. */
export function useSignChange(
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
