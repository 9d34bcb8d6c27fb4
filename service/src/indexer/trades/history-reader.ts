import type { LandedTransaction } from '@slipway/launch-model/history/transaction'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { RpcError, UNKNOWN_CURSOR, UNSUPPORTED_VERSION } from '../../chain/rpc/fault.ts'
import type { SignatureInfo, SignaturesOptions } from '../../chain/rpc/requests.ts'
import type { HistoryProgress } from '../../store/trade-progress.ts'
import type { HistoryMark, UnreadableMark } from '../../store/trade-progress-table.ts'
import type { RpcBudget } from './rpc-budget.ts'

export type HistoryRpc = Pick<ChainCalls, 'fetchSignatures' | 'fetchTransaction'>

/** One turn fetches at most this many transactions, so that a launch with many of them does not hold up the others. */
const TURN = 25
const AT_ONCE = 5
const UNREADABLE_MAX = 50
/** The most that a node lists at once. */
const LISTED_MAX = 1_000
/** Of a slot with more pages than this, the transactions of different pages may be out of order. */
const SLOT_PAGES_MAX = 10

/** A transaction's place among those of the address in the same slot, the oldest being the lowest. */
interface InSlot {
  orderInSlot: number
}
type ListedSignature = SignatureInfo & InSlot
/** Newest first, and nothing of a slot without all that is older in the slot. */
interface ListedPage {
  entries: ListedSignature[]
  /** Whether there may be older ones. */
  isFull: boolean
  /** Whether the list begins with the newest transaction, because the cursor was unknown. */
  isReplaced: boolean
}
export type ListedTransaction = LandedTransaction & InSlot

export interface HistoryParts {
  rpc: HistoryRpc
  budget: RpcBudget
  landed: LandedTransactions
  /** The last transaction that was read, for any address. */
  lastRead: { signature?: string }
}

/** Transactions that were read for any address, by slot and signature: one can name many launches. */
export interface LandedTransactions {
  get(key: string): LandedTransaction | undefined
  has(key: string): boolean
  set(key: string, transaction: LandedTransaction): unknown
}
const keyOf = ({ slot, signature }: HistoryMark) => `${slot} ${signature}`

export type HistoryReader = ReturnType<typeof createHistoryReader>

/** Fetches transactions for one turn and collects the results. */
export function createHistoryReader(
  { rpc, budget, landed, lastRead }: HistoryParts,
  progress: HistoryProgress,
) {
  const transactions: ListedTransaction[] = []
  const listed: ListedSignature[] = []
  /** Those that were read before and were not final then. */
  const known = new Set(progress.recent.map(({ signature }) => signature))
  /** Those that this turn left to another. */
  const unread = new Set<string>()
  const state = {
    isRefused: false,
    /** Whether the endpoints do not return the next transaction. */
    isStuck: false,
    isLate: false,
    fault: undefined as Error | undefined,
    /** Set if a response was not a transaction and the endpoints return none at all: then they are at fault. */
    garbled: undefined as Error | undefined,
  }
  let left = TURN
  let isBlocked = false
  let origin: string | undefined
  /** Whether the endpoints have returned a transaction in this turn. */
  let isProven = false
  const isOver = () =>
    left === 0 || isBlocked || state.isLate || state.fault !== undefined || state.garbled !== undefined

  const isSkipped = ({ failed, signature }: SignatureInfo) => failed || known.has(signature)

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
    landed.set(keyOf(transaction), transaction)
    lastRead.signature = signature
    isProven = true
    return transaction
  }

  /** Whether the endpoints return some transaction: one that they returned before, or the oldest of this list. */
  async function prove(entries: readonly SignatureInfo[]): Promise<boolean> {
    const { settled, unreadable } = progress
    const isUnreadable = (signature: string) => unreadable.some(mark => mark.signature === signature)
    for (const signature of [lastRead.signature, settled?.signature, entries.at(-1)?.signature])
      if (!isProven && signature && !isUnreadable(signature))
        await fetchTransaction(signature).catch(() => undefined)
    return isProven
  }

  /** Undefined if it could not be read, which ends the turn. */
  async function fetchOne(entry: SignatureInfo, entries: readonly SignatureInfo[]) {
    const { signature, isFinal } = entry
    try {
      return landed.get(keyOf(entry)) ?? (await fetchTransaction(signature))
    } catch (error) {
      // A transaction of an unknown version must not hide everything before it.
      if (isTooNew(error)) return 'tooNew'
      if (error instanceof RpcError && error.kind === 'invalid') return 'unreadable'
      if (error instanceof RpcError && error.kind === 'garbled') {
        if (isProven || (await prove(entries.filter(other => other.signature !== signature))))
          return 'unreadable'
        state.garbled = error
        return undefined
      }
      if (!isFinal && isMissing(error)) state.isLate = true
      else fail(error)
      return undefined
    }
  }

  async function fetchPage(
    options: SignaturesOptions & { limit: number },
  ): Promise<readonly SignatureInfo[]> {
    await budget.take()
    return rpc.fetchSignatures(progress.address, options)
  }

  /** Lists the rest of a slot that has more transactions than a page. */
  async function completeSlot(page: readonly SignatureInfo[], slot: number): Promise<SignatureInfo[]> {
    const entries = [...page]
    for (let pages = 1; pages < SLOT_PAGES_MAX; pages++) {
      const before = entries.at(-1)?.signature as string
      const more = await fetchPage({ before, limit: LISTED_MAX })
      entries.push(...more.filter(entry => entry.slot === slot))
      if (more.length < LISTED_MAX || more.at(-1)?.slot !== slot) break
    }
    return entries
  }

  /**
   * Returns how many entries are done. Those that are known, failed, or were read for another address cost nothing.
   */
  async function read(entries: readonly ListedSignature[]): Promise<number> {
    let done = 0
    while (done < entries.length && !isOver()) {
      // The first one shows whether the endpoints return transactions at all.
      const batch = entries.slice(done, done + Math.min(left, isProven ? AT_ONCE : 1))
      const isFree = batch.map(entry => landed.has(keyOf(entry)))
      const found = await Promise.all(
        batch.map(entry => (isSkipped(entry) ? 'skipped' : fetchOne(entry, entries))),
      )
      const end = found.indexOf(undefined)
      const usable = end === -1 ? found : found.slice(0, end)
      usable.forEach((transaction, at) => {
        const entry = batch[at] as ListedSignature
        if (!transaction || transaction === 'skipped') return
        if (!isFree[at]) left -= 1
        const isRead = typeof transaction !== 'string'
        remember(isRead ? transaction : entry, entry.isFinal)
        if (isRead) add(transaction, entry.orderInSlot)
        else progress.unreadable = addUnreadable(progress.unreadable, entry, transaction === 'tooNew')
      })
      done += usable.length
    }
    for (const entry of entries.slice(done)) if (!isSkipped(entry)) unread.add(entry.signature)
    return done
  }

  /** A transaction that a fork has moved keeps its first slot, so that its trades there are removed. */
  function remember({ slot, signature }: HistoryMark, isFinal: boolean) {
    if (!isFinal && !progress.recent.some(mark => mark.signature === signature))
      progress.recent.push({ slot, signature })
  }

  function add(transaction: LandedTransaction, orderInSlot: number) {
    transactions.push({ ...transaction, orderInSlot })
    if (!transaction.created.has(progress.address)) return
    progress.hasOrigin = true
    origin = transaction.signature
  }

  return {
    transactions,
    state,
    read,
    /** Lists from the newest transaction on if the endpoints do not know `before` or `until`. */
    async list({ limit, ...cursor }: SignaturesOptions & { limit: number }): Promise<ListedPage> {
      let isReplaced = false
      const page = await fetchPage({ limit, ...cursor }).catch(error => {
        if (!isUnknownCursor(error)) throw error
        isReplaced = true
        return fetchPage({ limit })
      })
      const cutSlot = page.length === limit ? page.at(-1)?.slot : undefined
      let entries = cutSlot === undefined ? page : page.filter(({ slot }) => slot !== cutSlot)
      if (entries.length === 0 && cutSlot !== undefined) entries = await completeSlot(page, cutSlot)
      const ordered = addOrder(entries)
      listed.push(...ordered)
      return { entries: ordered, isFull: cutSlot !== undefined, isReplaced }
    },
    /**
     * The places of transactions that were read before, in the slots of those that were read in this turn: a node may
     * list an older transaction of the slot later.
     */
    places(): Map<string, number> {
      const slots = new Set(transactions.map(({ slot }) => slot))
      const isNew = new Set(transactions.map(({ signature }) => signature))
      return new Map(
        listed
          .filter(({ slot, failed, signature }) => slots.has(slot) && !failed && !isNew.has(signature))
          .filter(({ signature }) => !unread.has(signature))
          .map(({ signature, orderInSlot }) => [signature, orderInSlot]),
      )
    },
    /** Tries a transaction again that could not be decoded. Returns whether it now can be. */
    async retry(signature: string, orderInSlot: number): Promise<boolean> {
      const transaction = await fetchTransaction(signature).catch(() => undefined)
      if (transaction) add(transaction, orderInSlot)
      return transaction !== undefined
    },
    fail,
    block,
    /** If the endpoints do not return this part of the history, continues with another. Returns whether it does. */
    skip(): boolean {
      if (!isBlocked || state.isRefused) return false
      isBlocked = false
      return !isOver()
    },
    isOver,
    isFull: () => left === 0,
    /** Whether this transaction was read in this turn and created the address. */
    isOrigin: ({ signature }: SignatureInfo) => signature === origin,
  }
}

/** Endpoints list the transactions of a slot in the order of its block, newest first. */
function addOrder(entries: readonly SignatureInfo[]): ListedSignature[] {
  const next = new Map<number, number>()
  return entries
    .toReversed()
    .map(entry => {
      const orderInSlot = next.get(entry.slot) ?? 0
      next.set(entry.slot, orderInSlot + 1)
      return { ...entry, orderInSlot }
    })
    .reverse()
}

/**
 * Anyone can send many such transactions. Beyond the limit, the oldest are no longer tried one by one: their slots are
 * read again if an endpoint comes to support their version.
 */
export function addUnreadable(
  known: readonly UnreadableMark[],
  { slot, signature, orderInSlot }: HistoryMark & InSlot,
  isTooNew = false,
): UnreadableMark[] {
  const mark = { slot, signature, orderInSlot, ...(isTooNew && { isTooNew }) }
  const marks = [...known.filter(other => other.signature !== signature), mark]
  if (marks.length <= UNREADABLE_MAX) return marks
  const [first, second, ...rest] = marks as [UnreadableMark, UnreadableMark, ...UnreadableMark[]]
  const joined = { slot: Math.max(first.slot, second.slot), signature: null }
  if (!first.isTooNew && !second.isTooNew) return [joined, ...rest]
  const since = Math.min(first.since ?? first.slot, second.slot)
  return [{ ...joined, isTooNew: true, since }, ...rest]
}

/**
 * Whether an endpoint has the transaction, but can't return it in a version that is read. What the others lack then
 * says little.
 */
const isTooNew = (error: unknown): boolean =>
  error instanceof RpcError && error.codes.includes(UNSUPPORTED_VERSION)

const isUnknownCursor = (error: unknown): boolean =>
  error instanceof RpcError && error.codes.includes(UNKNOWN_CURSOR)

/** Whether no endpoint supports the request or has the transaction; another attempt would not help. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof RpcError && (error.kind === 'unable' || error.kind === 'refused')

/** Whether the nodes answered that they do not have the transaction. */
const isMissing = (error: unknown): boolean =>
  error instanceof RpcError && error.kind === 'unable' && error.code === undefined

const isRefusal = (error: unknown): boolean => error instanceof RpcError && error.kind === 'refused'
