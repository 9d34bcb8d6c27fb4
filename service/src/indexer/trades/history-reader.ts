import type { LandedTransaction } from '@slipway/launch-model/history/transaction'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { RpcError } from '../../chain/rpc/fault.ts'
import type { SignatureInfo, SignaturesOptions } from '../../chain/rpc/requests.ts'
import type { HistoryProgress } from '../../store/trade-progress.ts'
import type { HistoryFloor, HistoryMark } from '../../store/trade-progress-table.ts'
import type { RpcBudget } from './rpc-budget.ts'

export type HistoryRpc = Pick<ChainRpc, 'fetchSignatures' | 'fetchTransaction'>

/** One turn reads at most this many transactions, so that a launch with many of them does not hold up the others. */
const TURN = 25
const AT_ONCE = 5
const UNREADABLE_MAX = 50
/** After this many responses that were no transactions, and none that was, the turn ends. */
const GARBLED_MAX = 3

export type HistoryReader = ReturnType<typeof createHistoryReader>

/** Fetches transactions for one turn, and keeps what came of it. */
export function createHistoryReader(rpc: HistoryRpc, budget: RpcBudget, progress: HistoryProgress) {
  const transactions: LandedTransaction[] = []
  const state = {
    isRefused: false,
    /** Whether the endpoints do not return what is next. */
    isStuck: false,
    isLate: false,
    fault: undefined as Error | undefined,
    /** Responses that were no transactions. They count only if the endpoints return some: otherwise, they are at fault. */
    garbled: [] as Error[],
  }
  let left = TURN
  let isBlocked = false
  let origin: string | undefined
  const isGarbled = () => transactions.length === 0 && state.garbled.length >= GARBLED_MAX
  const isOver = () => left === 0 || isBlocked || state.isLate || state.fault !== undefined || isGarbled()

  function block() {
    isBlocked = true
    state.isStuck = true
  }

  function fail(error: unknown) {
    state.isRefused ||= isRefusal(error)
    if (isUnavailable(error)) block()
    else state.fault ??= error instanceof Error ? error : new Error(String(error))
  }

  /** Undefined if it could not be read, which ends the turn. */
  async function fetchOne({ signature, isFinal }: SignatureInfo) {
    await budget.take()
    try {
      return await rpc.fetchTransaction(signature)
    } catch (error) {
      // A version of transactions that this service does not know must not hide everything before it.
      if (error instanceof RpcError && error.kind === 'invalid') return 'unreadable'
      if (error instanceof RpcError && error.kind === 'malformed') {
        state.garbled.push(error)
        return 'unreadable'
      }
      if (!isFinal && isMissing(error)) state.isLate = true
      else fail(error)
      return undefined
    }
  }

  /** Returns how many entries are done. */
  async function read(entries: readonly SignatureInfo[]): Promise<number> {
    let done = 0
    while (done < entries.length && !isOver()) {
      // The first one shows whether the endpoints return transactions at all.
      const batch = entries.slice(done, done + Math.min(left, transactions.length === 0 ? 1 : AT_ONCE))
      const found = await Promise.all(batch.map(entry => (entry.failed ? 'failed' : fetchOne(entry))))
      const end = found.indexOf(undefined)
      const usable = end === -1 ? found : found.slice(0, end)
      usable.forEach((transaction, at) => {
        const entry = batch[at] as SignatureInfo
        if (!transaction || transaction === 'failed') return
        left -= 1
        remember(transaction === 'unreadable' ? entry : transaction, entry.isFinal)
        if (transaction === 'unreadable') progress.unreadable = addUnreadable(progress.unreadable, entry)
        else add(transaction)
      })
      done += usable.length
    }
    return done
  }

  /** One that a fork has moved stays with its first slot, so that its trades there are removed. */
  function remember({ slot, signature }: HistoryMark, isFinal: boolean) {
    if (!isFinal && !progress.recent.some(mark => mark.signature === signature))
      progress.recent.push({ slot, signature })
  }

  function add(transaction: LandedTransaction) {
    transactions.push(transaction)
    if (!transaction.created.has(progress.address)) return
    progress.hasOrigin = true
    origin = transaction.signature
  }

  return {
    transactions,
    state,
    read,
    async list(options: SignaturesOptions) {
      await budget.take()
      return rpc.fetchSignatures(progress.address, options)
    },
    /** Returns whether a transaction that could not be decoded was read now. */
    async retry(signature: string): Promise<boolean> {
      await budget.take()
      const transaction = await rpc.fetchTransaction(signature).catch(() => undefined)
      if (transaction) add(transaction)
      return transaction !== undefined
    },
    fail,
    block,
    /** Whether the turn goes on with another part of the history, because the endpoints do not return this one. */
    skip(): boolean {
      if (!isBlocked || state.isRefused) return false
      isBlocked = false
      return !isOver()
    },
    isOver,
    isFull: () => left === 0,
    /** Whether this transaction was read in this turn and has created the address. */
    isOrigin: ({ signature }: SignatureInfo) => signature === origin,
  }
}

/** Anyone can send many of them. Those that are too many are not tried again. */
function addUnreadable(known: readonly HistoryFloor[], { slot, signature }: SignatureInfo): HistoryFloor[] {
  const marks = [...known.filter(mark => mark.signature !== signature), { slot, signature }]
  if (marks.length <= UNREADABLE_MAX) return marks
  const [first, second, ...rest] = marks as [HistoryFloor, HistoryFloor, ...HistoryFloor[]]
  return [{ slot: Math.max(first.slot, second.slot), signature: null }, ...rest]
}

/** Whether no endpoint supports the request or has the transaction; another attempt would not help. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof RpcError && (error.kind === 'unable' || error.kind === 'refused')

/** Whether the nodes answered that they do not have the transaction. */
const isMissing = (error: unknown): boolean =>
  error instanceof RpcError && error.kind === 'unable' && error.code === undefined

const isRefusal = (error: unknown): boolean => error instanceof RpcError && error.kind === 'refused'
