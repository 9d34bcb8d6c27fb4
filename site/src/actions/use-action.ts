import { type Network, SlipwayError } from '@slipway/client'
import { createSubmitter, type TransactionError } from '@slipway/client/kit'
import { BLOCKS_TO_EXPIRY } from '@slipway/launch-model/expiry'
import type { Address } from '@slipway/launch-model/programs'
import {
  address,
  createSolanaRpc,
  getTransactionDecoder,
  getTransactionEncoder,
  type TransactionModifyingSigner,
} from '@solana/kit'
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { noteConfirmed } from '../lib/confirmed.ts'
import { PartError } from '../lib/load-part.ts'
import type { PriceImpact } from '../lib/price-impact.ts'
import { decodeBase64, describeExpiry, fetchBalance, fetchBlockHeight } from '../lib/rpc.ts'
import { useSite } from '../lib/site-context.ts'
import { forgetDraft } from '../lib/use-draft.ts'
import { assertPrice, findOutlook } from '../transactions/check-figures.ts'
import { claimedBucket, decodeTransaction } from '../transactions/decode-transaction.ts'
import { explainFailure } from '../transactions/explain-failure.ts'
import { readFacts } from '../transactions/facts.ts'
import type { Intent, Outlook } from '../transactions/intent.ts'
import { assertEarlierSteps } from '../transactions/plan-launch.ts'
import { readChanges } from '../transactions/read-changes.ts'
import { type Review, reviewTransactions, UnexpectedTransactionError } from '../transactions/review.ts'
import { simulateTransaction } from '../transactions/simulate.ts'
import { describeApproval } from '../wallet/demo-approval.ts'
import type { WalletAccount } from '../wallet/wallet-store.ts'
import { type Action, type BuiltAction, NotNowError } from './action.ts'
import {
  type ActionEvent,
  type ActionState,
  BUILDING,
  describeDone,
  type Row,
  reduceAction,
  rowsOf,
} from './action-state.ts'
import { listPayments } from './costs.ts'
import {
  isLookedUpHere,
  notePendingSent,
  readPending,
  removePending,
  runAlone,
  savePending,
} from './pending.ts'

/** Builds, checks, simulates, signs and sends the transactions of one action. */
export function useAction(action: Action, account: WalletAccount, onClose: () => void) {
  const { settings } = useSite()
  const rpcUrl = settings.rpc[action.network]?.url
  const [state, dispatch] = useReducer(reduceAction, BUILDING)
  const built = useRef<BuiltAction>(undefined)
  const current = useRef<AbortController>(undefined)
  const asking = useRef<AbortController>(undefined)
  // The page may render again meanwhile. The action stays the one that the sheet was opened for.
  const latest = useRef({ action, onClose })
  useLayoutEffect(() => {
    latest.current = { action, onClose }
  })

  const start = useCallback(async () => {
    current.current?.abort()
    const controller = new AbortController()
    const { signal } = controller
    current.current = controller
    const show = (event: ActionEvent) => {
      if (!signal.aborted) dispatch(event)
    }
    show({ type: 'started' })
    if (!rpcUrl) return show({ type: 'blocked', cause: 'service', text: NO_RPC })
    const { key } = latest.current.action
    const earlier = readPending().find(pending => pending.key === key && !pending.isSettled)
    if (earlier && !isLookedUpHere(key)) return show({ type: 'blocked', cause: 'busy' })
    if (earlier) {
      const expiry = await describeExpiry(rpcUrl, earlier.lastValidBlockHeight, signal)
      return show({ type: 'blocked', cause: 'earlier', text: explainEarlier(expiry) })
    }
    try {
      const make = async () => {
        const made = await latest.current.action.build(signal)
        if (made.transactions.length === 0) return undefined
        const lastValidBlockHeight = await fetchLastHeight(rpcUrl, signal)
        built.current = { ...made, blockhash: { ...made.blockhash, lastValidBlockHeight } }
        const checked = await checkTransactions(made, { account, rpcUrl, signal, ...latest.current.action })
        return { ...checked, made }
      }
      const [checked, balanceLamports, expiry] = await Promise.all([
        make().catch(error => {
          // Only a deposit depends on rent, which may have changed since it was built.
          const isDeposit = built.current?.intent.kind === 'deposit'
          if (isDeposit && error instanceof UnexpectedTransactionError) return make()
          throw error
        }),
        fetchBalance(rpcUrl, account.address, signal).then(BigInt, () => undefined),
        describeExpiry(rpcUrl, undefined, signal),
      ])
      if (!checked) return show({ type: 'blocked', cause: 'nothing' })
      const { rows, impact, outlook, made } = checked
      const { estimate, fee = outlook?.fee } = made
      const isFromAgent = made.intent.kind === 'withdraw' || made.intent.kind === 'withdraw-token'
      const income = made.income?.map(part => ({ ...part, isFromAgent }))
      show({
        type: 'built',
        review: { rows, impact, outlook, income, fee, estimate, expiry, balanceLamports },
      })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof SlipwayError && error.details && latest.current.action.onInvalid) {
        latest.current.onClose()
        return latest.current.action.onInvalid(error)
      }
      const cause = error instanceof UnexpectedTransactionError ? 'unexpected' : 'service'
      show({ type: 'blocked', cause, text: describeFault(error) })
    }
  }, [account, rpcUrl])

  useEffect(() => {
    void start()
    return () => current.current?.abort()
  }, [start])

  async function sign() {
    if (state.kind !== 'review' || !built.current || !rpcUrl) return
    const { transactions, blockhash, subjects, intent } = built.current
    const wallets = walletsOf(intent, account)
    const { lastValidBlockHeight } = blockhash
    const { key, title, network, inOrder, onProgress, next, resume, draft, isDone, result } =
      latest.current.action
    const { signal } = current.current as AbortController
    const stopping = new AbortController()
    asking.current = stopping
    // This continues after the sheet is closed.
    let now: ActionState = state
    const note = (event: ActionEvent) => {
      now = reduceAction(now, event)
      if (!signal.aborted) dispatch(event)
    }
    describeApproval(listPayments(state, latest.current.action, account.address).filter(line => !line.isFee))
    note({ type: 'asked-wallet' })
    const change = (index: number, next: Partial<Row>) => {
      note({ type: 'row-changed', index, change: next })
      if (subjects && !signal.aborted)
        latest.current.action.onStates?.(
          new Map(subjects.map((subject, at) => [subject, rowsOf(now)[at]?.state ?? 'ready'])),
        )
    }
    const submitter = createSubmitter({
      rpc: createSolanaRpc(rpcUrl),
      signers: [createSigner(account, network, AbortSignal.any([signal, stopping.signal]))],
    })
    const work = async () => {
      if (isDone?.()) return false
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
              lastValidBlockHeight,
              wallets,
              ...(subjects && { subjects }),
              ...(next && { next: next() }),
              ...(resume && { resume }),
              ...(draft !== undefined && { draft }),
            })
            onProgress?.({ signatures, confirmed: 0, lastValidBlockHeight })
            for (const [index, signature] of signatures.entries())
              change(index, { signature, state: inOrder && index > 0 ? 'ready' : 'signed' })
          },
          onSent(signature) {
            notePendingSent(key)
            const index = rowsOf(now).findIndex(row => row.signature === signature)
            if (rowsOf(now)[index]?.state === 'signed') change(index, { state: 'sent' })
          },
          onReachable: isReachable => note({ type: 'reachable', isReachable }),
          onProgress(result) {
            const isConfirmed = result.status === 'confirmed'
            if (isConfirmed) noteConfirmed(network, wallets, result.slot)
            const reason = isConfirmed ? undefined : explainOutcome(result.error)
            change(result.index, { state: result.status, ...(reason !== undefined && { reason }) })
            const rows = rowsOf(now)
            if (isConfirmed)
              onProgress?.({
                signatures: rows.flatMap(({ signature }) => signature ?? []),
                confirmed: rows.filter(row => row.state === 'confirmed').length,
                lastValidBlockHeight,
              })
            if (inOrder && isConfirmed && result.index + 1 < rows.length)
              change(result.index + 1, { state: 'signed' })
          },
        },
      )
      return true
    }
    try {
      const ran = await runAlone(key, work)
      if (!ran?.result) return note({ type: 'blocked', cause: isDone?.() ? 'done' : 'busy' })
    } catch (error) {
      // Leaving the page while transactions are on their way: their outcome is looked up on the next one.
      if (signal.aborted) return
      // Nothing was signed, so the message comes from the wallet.
      const { message } = ((error as TransactionError).cause ?? error) as Error
      note({ type: 'not-signed', reason: message })
    }
    if (!rowsOf(now).some(row => row.state === 'unknown')) removePending(key)
    if (rowsOf(now).some(row => row.state !== 'confirmed')) return note({ type: 'finished' })
    if (draft !== undefined) forgetDraft(draft)
    latest.current.action.onConfirmed?.()
    const signatures = rowsOf(now).flatMap(({ signature }) => signature ?? [])
    const changes = result && (await readChanges(rpcUrl, signatures, account.address))
    const told = changes && result?.(changes)
    note({ type: 'finished', result: told })
    latest.current.action.onDone?.(describeDone({ rows: rowsOf(now), result: told }, latest.current.action))
  }

  /** The wallet may never answer. Anything it signs after this is not sent. */
  const stopAsking = () => asking.current?.abort(new Error('You stopped waiting for the wallet'))

  return { state, start, sign, stopAsking }
}

/** Whose holdings it changes, as far as pages show them. */
function walletsOf(intent: Intent, account: WalletAccount): string[] {
  if (intent.kind === 'claim') return [account.address, intent.wallet]
  return 'agentWallet' in intent ? [account.address, intent.agentWallet] : [account.address]
}

const NO_RPC =
  'This service has no public RPC configured for this network (PUBLIC_RPC_URL), so nothing can be sent from here.'

/** What went wrong, in words for people rather than programmers. */
const explainEarlier = (expiry: string): string =>
  `We are checking whether that transaction was executed. It expires after ${expiry}. Then you can try again.`

function describeFault(error: unknown): string {
  if ([UnexpectedTransactionError, NotNowError, PartError].some(kind => error instanceof kind))
    return (error as Error).message
  if (!(error instanceof SlipwayError) || error.code === 'UNKNOWN_RESPONSE')
    return 'The service’s response can’t be read.'
  if (error.code === 'NETWORK_ERROR' || error.code === 'TIMEOUT') return 'The service is not answering.'
  const [detail] = error.details ?? []
  return `The service says: ${error.message}${detail ? `: ${detail.message}` : ''}.`
}

/** What each transaction does, from its own bytes, and what a simulation says. */
async function checkTransactions(
  { transactions, intent, groups }: BuiltAction,
  {
    account,
    rpcUrl,
    signal,
    network,
    inOrder,
  }: { account: WalletAccount; rpcUrl: string; signal: AbortSignal } & Pick<Action, 'network' | 'inOrder'>,
): Promise<{ rows: Row[]; impact: PriceImpact | undefined; outlook: Outlook | undefined }> {
  const wires = transactions.map(decodeBase64)
  const wallet = account.address
  const claimed =
    intent.kind === 'claim' ? wires.flatMap(wire => claimedBucket(decodeTransaction(wire)) ?? []) : []
  const facts = await readFacts({ rpcUrl, network, signal }, intent, wallet, claimed).catch(tellUnreachable)
  const reviews = await reviewTransactions(wires, intent, wallet, facts)
  const [impact, outlook] = [assertPrice(facts, intent), findOutlook(facts, intent)]
  await assertEarlierSteps(rpcUrl, reviews, signal).catch(tellUnreachable)
  const rows = wires.map(async (wire, at): Promise<Row> => {
    const group = groups?.[at]
    const row: Row = { review: reviews[at] as Review, state: 'ready', ...(group && { group }) }
    if (inOrder && at > 0) return row
    const { writable } = decodeTransaction(wire)
    const simulation = await simulateTransaction(rpcUrl, wire, wallet as Address, signal, writable)
    return { ...row, simulation }
  })
  return { rows: await Promise.all(rows), impact, outlook }
}

/**
 * The block height at which a transaction that exists now has expired for certain. The service names one too, but a
 * wrong one would make the page say that a transaction was not executed although it was.
 */
async function fetchLastHeight(rpcUrl: string, signal: AbortSignal): Promise<number> {
  try {
    return (await fetchBlockHeight(rpcUrl, signal)) + BLOCKS_TO_EXPIRY
  } catch (cause) {
    throw unreachable(cause)
  }
}

function tellUnreachable(error: unknown): never {
  throw error instanceof UnexpectedTransactionError ? error : unreachable(error)
}

const unreachable = (cause: unknown) =>
  new NotNowError('The chain is not answering, so nothing can be sent now.', { cause })

/**
 * A wallet's account as a signer of kit. The wallet is asked once for all transactions. When the signal is aborted, the
 * page no longer waits for it: many wallets never answer once their window is closed.
 */
function createSigner(
  account: WalletAccount,
  network: Network,
  signal: AbortSignal,
): TransactionModifyingSigner {
  return {
    address: address(account.address),
    async modifyAndSignTransactions(transactions) {
      const wires = transactions.map(
        transaction => new Uint8Array(getTransactionEncoder().encode(transaction)),
      )
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      const signed = await Promise.race([account.signTransactions(wires, network), stopped])
      return signed.map(wire => getTransactionDecoder().decode(wire)) as never
    },
  }
}

/** Why a transaction was not confirmed, in words. Undefined if its state says everything. */
export function explainOutcome({
  reason,
  cause,
  logs = [],
}: Pick<TransactionError, 'reason' | 'cause' | 'logs'>): string | undefined {
  if (reason === 'expired' || reason === 'unknown') return undefined
  if (!(cause instanceof Error)) return explainFailure(cause, logs)
  // The RPC refused it before it was executed. Kit's error contains the error that the transaction would have failed
  // with.
  const { message, context } = (cause.cause ?? cause) as Error & { context?: Record<string, unknown> }
  if (typeof context?.index === 'number' && typeof context.code === 'number')
    return explainFailure({ InstructionError: [context.index, { Custom: context.code }] }, logs)
  return `The network refused it: ${message}.`
}
