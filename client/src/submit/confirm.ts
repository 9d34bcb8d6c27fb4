import { pause } from '../pause.ts'
import type { Blockhash } from '../types.ts'
import type { Chain } from './chain.ts'
import { TransactionError } from './transaction-error.ts'

const POLL_MS = 500
const RESEND_MS = 2_500
/** Without the RPC for this long, nothing can be said. */
const UNREACHABLE_MS_MAX = 90_000
const STATUSES_MAX = 256
const SENDS_AT_ONCE = 8

interface Pending<Signed> {
  signed: Signed
  index: number
  signature: string
  /** Once accepted, a refusal means nothing: the transaction may have been executed. */
  mayHaveArrived: boolean
  /** A node that does not know the blockhash yet is asked again, with the check. */
  skipPreflight: boolean
  isSent: boolean
}

/** With the slot in which a transaction was confirmed, or the reason why it was not. */
export type OnSettled = (index: number, signature: string, outcome: number | TransactionError) => void

/**
 * Sends signed transactions that share a blockhash, repeatedly, until each is confirmed or can no longer be. Reports
 * each of them once.
 */
export async function sendAndConfirm<Signed>(
  chain: Chain<Signed>,
  transactions: Signed[],
  { lastValidBlockHeight }: Blockhash,
  {
    signal,
    onReachable,
    onSent,
    onSettled,
  }: {
    signal?: AbortSignal | undefined
    onReachable?: ((isReachable: boolean) => void) | undefined
    onSent?: ((signature: string) => void) | undefined
    onSettled: OnSettled
  },
): Promise<void> {
  const pending = new Map<string, Pending<Signed>>()
  for (const [index, signed] of transactions.entries()) {
    const signature = chain.signatureOf(signed)
    pending.set(signature, {
      signed,
      index,
      signature,
      mayHaveArrived: false,
      skipPreflight: false,
      isSent: false,
    })
  }

  function settle({ index, signature }: Pending<Signed>, outcome: number | TransactionError) {
    if (pending.delete(signature)) onSettled(index, signature, outcome)
  }

  function noteSent(entry: Pending<Signed>) {
    entry.mayHaveArrived = entry.skipPreflight = true
    if (!entry.isSent) onSent?.(entry.signature)
    entry.isSent = true
  }

  async function send(entry: Pending<Signed>): Promise<void> {
    const { signature, skipPreflight } = entry
    try {
      await chain.send(entry.signed, { skipPreflight })
      noteSent(entry)
    } catch (cause) {
      const failure = chain.classify(cause)
      if (failure === 'refused' && !entry.mayHaveArrived)
        settle(entry, new TransactionError('rejected', { signature, cause }))
      else if (failure === 'unreachable') entry.mayHaveArrived = true
      else if (failure === 'duplicate') noteSent(entry)
    }
  }

  async function sendAll() {
    const queue = [...pending.values()]
    const work = async () => {
      for (let entry = queue.shift(); entry; entry = queue.shift()) await send(entry)
    }
    await Promise.all(Array.from({ length: SENDS_AT_ONCE }, work))
  }

  async function readAll() {
    // The height is read before the statuses: past the last valid height, an unknown transaction will never be known.
    const height = await chain.readBlockHeight()
    const entries = [...pending.values()]
    for (let from = 0; from < entries.length; from += STATUSES_MAX) {
      const part = entries.slice(from, from + STATUSES_MAX)
      const statuses = await chain.readStatuses(part.map(({ signature }) => signature))
      for (const [at, entry] of part.entries()) {
        const { signature } = entry
        const status = statuses[at]
        if (status?.isConfirmed)
          settle(
            entry,
            status.error ? new TransactionError('failed', { signature, cause: status.error }) : status.slot,
          )
        else if (!status && height > lastValidBlockHeight)
          settle(entry, new TransactionError('expired', { signature }))
      }
    }
  }

  let sentAt = Number.NEGATIVE_INFINITY
  let reachedAt = Date.now()
  let isReachable = true
  function noteReachable(now: boolean) {
    if (now !== isReachable) onReachable?.(now)
    isReachable = now
  }
  for (;;) {
    signal?.throwIfAborted()
    if (Date.now() - sentAt >= RESEND_MS) {
      await sendAll()
      sentAt = Date.now()
    }
    try {
      await readAll()
      reachedAt = Date.now()
      noteReachable(true)
    } catch (cause) {
      noteReachable(false)
      if (Date.now() - reachedAt > UNREACHABLE_MS_MAX)
        for (const entry of [...pending.values()])
          settle(entry, new TransactionError('unknown', { signature: entry.signature, cause }))
    }
    if (pending.size === 0) return
    await pause(POLL_MS, signal)
  }
}
