import { SlipwayError } from '@slipway/client'
import { createSubmitter, type TransactionError } from '@slipway/client/kit'
import { createSolanaRpc } from '@solana/kit'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSite } from '../lib/site-context.ts'
import { type Review, reviewTransactions, UnexpectedTransactionError } from '../transactions/review.ts'
import { type Simulation, simulateTransaction } from '../transactions/simulate.ts'
import type { WalletAccount } from '../wallet/wallet-store.ts'
import type { Action, BuiltAction, TransactionState } from './action.ts'
import { createSigner } from './create-signer.ts'
import { explainOutcome } from './explain-outcome.ts'
import { removePending, runAlone, savePending } from './pending.ts'

/** One transaction of an action, and how far it is. */
export interface Row {
  review: Review
  /** Absent for one that can be simulated only when the one before it is confirmed. */
  simulation?: Simulation
  state: TransactionState
  signature?: string
  /** Why it failed, in words. */
  reason?: string
}

export type ActionState =
  | { kind: 'building' }
  /** Nothing can be signed. `unexpected`: the transaction does something else than was asked for. */
  | { kind: 'blocked'; cause: 'service' | 'unexpected' | 'busy' | 'nothing'; text: string }
  | { kind: 'review'; rows: Row[]; income?: string | undefined; estimate?: string | undefined }
  | { kind: 'signing'; rows: Row[] }
  | { kind: 'sending'; rows: Row[]; isReachable: boolean }
  | { kind: 'finished'; rows: Row[] }

/** Builds, checks, simulates, signs and sends the transactions of one action. */
export function useAction(action: Action, account: WalletAccount, onClose: () => void) {
  const { settings } = useSite()
  const rpcUrl = settings.rpc[action.network]?.url
  const [state, setState] = useState<ActionState>({ kind: 'building' })
  const built = useRef<BuiltAction>(undefined)
  const current = useRef<AbortController>(undefined)
  // The page draws itself anew meanwhile; the action stays the one that the sheet was opened for.
  const latest = useRef({ action, onClose })
  latest.current = { action, onClose }

  const start = useCallback(async () => {
    current.current?.abort()
    const controller = new AbortController()
    const { signal } = controller
    current.current = controller
    const show = (next: ActionState) => {
      if (!signal.aborted) setState(next)
    }
    show({ kind: 'building' })
    if (!rpcUrl) return show({ kind: 'blocked', cause: 'service', text: NO_RPC })
    try {
      const made = await latest.current.action.build(signal)
      built.current = made
      if (made.transactions.length === 0) return show({ kind: 'blocked', cause: 'nothing', text: '' })
      const rows = await check(made, { account, rpcUrl, signal, ...latest.current.action })
      show({ kind: 'review', rows, income: made.income, estimate: made.estimate })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SlipwayError && error.details && latest.current.action.onInvalid) {
        latest.current.onClose()
        return latest.current.action.onInvalid(error)
      }
      const cause = error instanceof UnexpectedTransactionError ? 'unexpected' : 'service'
      show({ kind: 'blocked', cause, text: (error as Error).message })
    }
  }, [account, rpcUrl])

  useEffect(() => {
    void start()
    return () => current.current?.abort()
  }, [start])

  async function sign() {
    if (state.kind !== 'review' || !built.current || !rpcUrl) return
    const { transactions, blockhash, subjects } = built.current
    const { key, title, network, inOrder, onProgress } = latest.current.action
    const { signal } = current.current as AbortController
    let rows = state.rows
    let isReachable = true
    setState({ kind: 'signing', rows })
    const change = (index: number, next: Partial<Row>) => {
      rows = rows.map((row, at) => (at === index ? { ...row, ...next } : row))
      if (signal.aborted) return
      setState({ kind: 'sending', rows, isReachable })
      if (subjects)
        latest.current.action.onStates?.(
          new Map(subjects.map((subject, at) => [subject, rows[at]?.state ?? 'ready'])),
        )
    }
    const submitter = createSubmitter({
      rpc: createSolanaRpc(rpcUrl),
      signers: [createSigner(account, network)],
    })
    const work = async () => {
      await submitter.submitAll(
        { transactions, blockhash },
        {
          signal,
          inOrder,
          onSigned(signatures) {
            savePending({
              key,
              title,
              network,
              signatures,
              lastValidBlockHeight: blockhash.lastValidBlockHeight,
              ...(subjects && { subjects }),
            })
            onProgress?.(signatures, 0)
            for (const [index, signature] of signatures.entries())
              change(index, { signature, state: inOrder && index > 0 ? 'ready' : 'sent' })
          },
          onReachable(now) {
            isReachable = now
            if (!signal.aborted) setState({ kind: 'sending', rows, isReachable })
          },
          onProgress(result) {
            const isConfirmed = result.status === 'confirmed'
            const reason = isConfirmed ? undefined : explainOutcome(result.error)
            change(result.index, { state: result.status, ...(reason !== undefined && { reason }) })
            const confirmed = rows.filter(row => row.state === 'confirmed').length
            if (isConfirmed)
              onProgress?.(
                rows.flatMap(({ signature }) => signature ?? []),
                confirmed,
              )
            if (inOrder && isConfirmed && result.index + 1 < rows.length)
              change(result.index + 1, { state: 'sent' })
          },
        },
      )
    }
    try {
      const ran = await runAlone(key, work)
      if (!ran) return setState({ kind: 'blocked', cause: 'busy', text: '' })
    } catch (error) {
      // Leaving the page while transactions are on their way: their outcome is looked up on the next one.
      if (signal.aborted) return
      // Nothing was signed, so the words are the wallet's. They are the same for all transactions.
      const { message } = ((error as TransactionError).cause ?? error) as Error
      rows = rows.map((row, at) => ({ ...row, state: 'rejected', ...(at === 0 && { reason: message }) }))
    }
    if (!rows.some(({ state }) => state === 'unknown')) removePending(key)
    setState({ kind: 'finished', rows })
    if (rows.every(row => row.state === 'confirmed')) latest.current.action.onConfirmed?.()
  }

  return { state, start, sign }
}

const NO_RPC =
  'This service names no RPC for browsers on this network (PUBLIC_RPC_URL), so nothing can be sent from here.'

/** What each transaction does, from its own bytes, and what a simulation says. */
async function check(
  { transactions, intent }: BuiltAction,
  {
    account,
    rpcUrl,
    signal,
    inOrder,
  }: { account: WalletAccount; rpcUrl: string; signal: AbortSignal; inOrder?: boolean },
): Promise<Row[]> {
  const wires = transactions.map(decodeBase64)
  const reviews = await reviewTransactions(wires, intent, account.address as never)
  return Promise.all(
    wires.map(async (wire, at): Promise<Row> => {
      const review = reviews[at] as Review
      if (inOrder && at > 0) return { review, state: 'ready' }
      const simulation = await simulateTransaction(rpcUrl, wire, account.address as never, signal)
      return { review, simulation, state: 'ready' }
    }),
  )
}

const decodeBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), character => character.charCodeAt(0))
