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

export interface HistoryParts {
  rpc: HistoryRpc
  budget: RpcBudget
  /** The transaction that was last read, of any address. */
  lastRead: { signature?: string }
}

export type HistoryReader = ReturnType<typeof createHistoryReader>

/** Fetches transactions for one turn, and keeps what came of it. */
export function createHistoryReader({ rpc, budget, lastRead }: HistoryParts, progress: HistoryProgress) {
  const transactions: LandedTransaction[] = []
  const state = {
    isRefused: false,
    /** Whether the endpoints do not return what is next. */
    isStuck: false,
    isLate: false,
    fault: undefined as Error | undefined,
    /** The first response that was no transaction, if the endpoints have not returned any: then they are at fault. */
    garbled: undefined as Error | undefined,
  }
  let left = TURN
  let isBlocked = false
  let origin: string | undefined
  /** Whether the endpoints have returned a transaction in this turn. */
  let isProven = false
  const isOver = () =>
    left === 0 || isBlocked || state.isLate || state.fault !== undefined || state.garbled !== undefined

  function block() {
    isBlocked = true
    state.isStuck = true
  }

  function fail(error: unknown) {
    state.isRefused ||= isRefusal(error)
    if (isUnavailable(error)) block()
    else state.fault ??= error instanceof Error ? error : new Error(String(error))
  }

  async function fetchTransaction(signature: string): Promise<LandedTransaction> {
    await budget.take()
    const transaction = await rpc.fetchTransaction(signature)
    lastRead.signature = signature
    isProven = true
    return transaction
  }

  /** Returns whether the endpoints return a transaction that they have returned before, or the oldest one of this list. */
  async function prove(entries: readonly SignatureInfo[]): Promise<boolean> {
    const { settled, unreadable } = progress
    const isUnreadable = (signature: string) => unreadable.some(mark => mark.signature === signature)
    for (const signature of [lastRead.signature, settled?.signature, entries.at(-1)?.signature])
      if (!isProven && signature && !isUnreadable(signature))
        await fetchTransaction(signature).catch(() => undefined)
    return isProven
  }

  /** Undefined if it could not be read, which ends the turn. */
  async function fetchOne({ signature, isFinal }: SignatureInfo, entries: readonly SignatureInfo[]) {
    try {
      return await fetchTransaction(signature)
    } catch (error) {
      // A version of transactions that this service does not know must not hide everything before it.
      if (error instanceof RpcError && error.kind === 'invalid') return 'unreadable'
      if (error instanceof RpcError && error.kind === 'garbled') {
        if (isProven || (await prove(entries.filter(entry => entry.signature !== signature))))
          return 'unreadable'
        state.garbled = error
        return undefined
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
      const batch = entries.slice(done, done + Math.min(left, isProven ? AT_ONCE : 1))
      const found = await Promise.all(
        batch.map(entry => (entry.failed ? 'failed' : fetchOne(entry, entries))),
      )
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
      const transaction = await fetchTransaction(signature).catch(() => undefined)
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
