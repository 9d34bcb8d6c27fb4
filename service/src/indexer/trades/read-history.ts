import type { LandedTransaction } from '@slipway/launch-model/history/transaction'
import type { Address } from '@slipway/schema/address'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { RpcError } from '../../chain/rpc/fault.ts'
import type { SignatureInfo, SignaturesOptions } from '../../chain/rpc/requests.ts'
import type { HistoryProgress } from '../../store/trade-progress.ts'
import type { HistoryFloor, HistoryGap } from '../../store/trade-progress-table.ts'
import type { RpcBudget } from './rpc-budget.ts'

export type HistoryRpc = Pick<ChainRpc, 'fetchSignatures' | 'fetchTransaction'>

/** One turn reads at most this many transactions, so that a launch with many of them does not hold up the others. */
const TURN = 25
const AT_ONCE = 5
const PAGE = 200
/** If a launch is behind again and again, its oldest gaps are joined. What is between them is read twice. */
const GAPS_MAX = 20

interface Turn {
  progress: HistoryProgress
  /** Those that succeeded. */
  transactions: LandedTransaction[]
  /** Whether the next turn would find something to read at once. */
  hasMore: boolean
  /** Whether an endpoint refused a request. */
  isRefused: boolean
  /** Whether the endpoints do not have a transaction yet that they list. */
  isLate: boolean
  /** Why the turn ended early, if a request failed. What was read before counts. */
  fault: Error | undefined
}

export const newProgress = (address: Address): HistoryProgress => ({
  address,
  settled: null,
  recent: [],
  gaps: [],
  hasOrigin: false,
  lacksHistory: false,
})

/** Reads what is new in the history of an address and then, newest first, what has not been read of the rest. */
export async function readHistory(
  { rpc, budget }: { rpc: HistoryRpc; budget: RpcBudget },
  before: HistoryProgress,
): Promise<Turn> {
  const progress = structuredClone(before)
  const reader = createReader(rpc, budget, progress)
  try {
    await readNews(reader, progress)
    if (!reader.isOver() || reader.skip()) await readGaps(reader, progress)
  } catch (error) {
    reader.fail(error)
  }
  // Before it was created, nothing can have happened there.
  if (progress.hasOrigin) progress.gaps = progress.gaps.filter(({ until }) => until !== null)
  while (progress.gaps.length > GAPS_MAX) joinLast(progress.gaps)
  const { isRefused, isStuck, isLate, fault } = reader.state
  // That says nothing about what the endpoints have.
  const isInterrupted = isLate || fault !== undefined
  if (!isInterrupted) progress.lacksHistory = isStuck || !(progress.hasOrigin || progress.gaps.length > 0)
  return {
    progress,
    transactions: reader.transactions,
    hasMore: progress.gaps.length > 0 && !isInterrupted && (!isStuck || reader.isFull()),
    isRefused,
    isLate,
    fault,
  }
}

/** Whether no endpoint supports the request or has the transaction; another attempt would not help. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof RpcError && (error.kind === 'unable' || error.kind === 'refused')

/** Whether the nodes answered that they do not have the transaction. */
const isMissing = (error: unknown): boolean =>
  error instanceof RpcError && error.kind === 'unable' && error.code === undefined

const isRefusal = (error: unknown): boolean => error instanceof RpcError && error.kind === 'refused'

async function readNews(reader: Reader, progress: HistoryProgress): Promise<void> {
  const { settled, recent, gaps } = progress
  const page = await reader.list(settled?.signature ? { until: settled.signature } : {})
  const known = new Set(recent.map(({ signature }) => signature))
  const newer = page.slice(0, endOf(page, settled))
  const unread = newer.filter(({ signature }) => !known.has(signature))
  const count = await reader.read(unread)
  const [first, last] = [page[0], page.at(-1)]
  const isCut = count < unread.length
  const isFull = page.length === PAGE && newer.length === PAGE
  const isWhole = !isCut && !isFull && (settled !== null || progress.hasOrigin)
  if (isWhole) settleOn(progress, newer)
  if (!first || !last || isWhole) return
  const reached = isCut ? unread[count - 1] : last
  // Nothing could be read: the next turn looks again.
  if (!reached) return
  gaps.unshift({ before: reached.signature, until: settled })
  progress.settled = { slot: first.slot, signature: first.signature }
}

/** What is older than a final transaction of the page has all been read. */
function settleOn(progress: HistoryProgress, page: readonly SignatureInfo[]): void {
  const final = page.find(({ isFinal }) => isFinal)
  if (final) progress.settled = { slot: final.slot, signature: final.signature }
}

/** A gap that the endpoints do not return does not hold up the older ones. */
async function readGaps(reader: Reader, progress: HistoryProgress): Promise<void> {
  for (const gap of [...progress.gaps]) {
    if (gap.until === null && progress.hasOrigin) return
    const isClosed = await readGap(reader, gap)
    if (isClosed) progress.gaps = progress.gaps.filter(other => other !== gap)
    if (!reader.skip()) return
  }
}

/** Returns whether all of the gap has been read. */
async function readGap(reader: Reader, gap: HistoryGap): Promise<boolean> {
  const page = await reader.list({ before: gap.before })
  const end = endOf(page, gap.until)
  const count = await reader.read(page.slice(0, end))
  const reached = page[count - 1]
  if (reached) gap.before = reached.signature
  // The floor may be older than the address.
  if (page.slice(0, count).some(reader.isOrigin)) return true
  if (count < end) return false
  if (end < page.length) return true
  // An empty page may come from a node that has not kept what is older.
  if (page.length < PAGE) reader.block()
  return false
}

/** How many entries of a page are newer than the floor. A fork may have dropped the transaction that it names. */
function endOf(page: readonly SignatureInfo[], floor: HistoryFloor | null): number {
  if (!floor) return page.length
  const end = page.findIndex(({ slot, signature }) => slot < floor.slot || signature === floor.signature)
  return end === -1 ? page.length : end
}

function joinLast(gaps: HistoryGap[]): void {
  const last = gaps.pop()
  const previous = gaps.at(-1)
  if (last && previous) previous.until = last.until
}

type Reader = ReturnType<typeof createReader>

function createReader(rpc: HistoryRpc, budget: RpcBudget, progress: HistoryProgress) {
  const transactions: LandedTransaction[] = []
  const state = {
    isRefused: false,
    /** Whether the endpoints do not return what is next. */
    isStuck: false,
    isLate: false,
    fault: undefined as Error | undefined,
  }
  let left = TURN
  let isBlocked = false
  let origin: string | undefined
  const isOver = () => left === 0 || isBlocked || state.isLate || state.fault !== undefined

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
        if (transaction !== 'failed') left -= 1
        if (typeof transaction === 'object') add(transaction, batch[at]?.isFinal === true)
      })
      done += usable.length
    }
    return done
  }

  function add(transaction: LandedTransaction, isFinal: boolean) {
    const { slot, signature } = transaction
    transactions.push(transaction)
    // One that a fork has moved stays with its first slot, so that its trades there are removed.
    if (!isFinal && !progress.recent.some(mark => mark.signature === signature))
      progress.recent.push({ slot, signature })
    if (!transaction.created.has(progress.address)) return
    progress.hasOrigin = true
    origin = signature
  }

  return {
    transactions,
    state,
    read,
    async list(options: SignaturesOptions) {
      await budget.take()
      return rpc.fetchSignatures(progress.address, { ...options, limit: PAGE })
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
