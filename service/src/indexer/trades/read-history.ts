import type { Address } from '@slipway/schema/address'
import type { SignatureInfo } from '../../chain/rpc/requests.ts'
import type { HistoryProgress } from '../../store/trade-progress.ts'
import type { HistoryFloor, HistoryGap } from '../../store/trade-progress-table.ts'
import {
  createHistoryReader,
  type HistoryParts,
  type HistoryReader,
  type ListedTransaction,
} from './history-reader.ts'

const PAGE = 200
/** If a launch has more gaps than this, the oldest are joined, and whatever is between them is read twice. */
const GAPS_MAX = 20

interface Turn {
  progress: HistoryProgress
  /** The successful ones. */
  transactions: ListedTransaction[]
  /** Where transactions that were read before now are in the slots of these. */
  places: ReadonlyMap<string, number>
  /** Whether every new transaction was read or is recorded as part of a gap. */
  isWatched: boolean
  /** Whether the next turn would find something to read at once. */
  hasMore: boolean
  /** Whether an endpoint refused a request. */
  isRefused: boolean
  /** Whether the endpoints list a transaction that they do not have yet. */
  isLate: boolean
  /** Why the turn ended early, if a request failed. Transactions that were read before it are kept. */
  fault: Error | undefined
}

const NOTHING_READ = {
  transactions: [],
  places: new Map<string, number>(),
  isWatched: false,
  hasMore: false,
  isRefused: false,
  isLate: false,
}

export const newProgress = (address: Address): HistoryProgress => ({
  address,
  settled: null,
  recent: [],
  gaps: [],
  hasOrigin: false,
  lacksHistory: false,
  unreadable: [],
})

/**
 * Reads the new transactions of an address and then, newest first, those in the gaps of its history. If the address
 * was watched until now, endpoints that know what was read last are trusted to list every transaction since.
 */
export async function readHistory(
  parts: HistoryParts,
  before: HistoryProgress,
  wasWatched = false,
): Promise<Turn> {
  const progress = structuredClone(before)
  const reader = createHistoryReader(parts, progress)
  let isWatched = false
  try {
    isWatched = await readNews(reader, progress, wasWatched)
    if (!reader.isOver() || reader.skip()) await readGaps(reader, progress)
    if (!reader.isOver()) await retryUnreadable(reader, progress)
  } catch (error) {
    reader.fail(error)
  }
  const { garbled } = reader.state
  if (garbled) return { ...NOTHING_READ, progress: { ...before, lacksHistory: true }, fault: garbled }
  // An address has no transactions before the one that created it.
  if (progress.hasOrigin) progress.gaps = progress.gaps.filter(({ until }) => until !== null)
  while (progress.gaps.length > GAPS_MAX) joinLast(progress.gaps)
  const places = reader.places()
  for (const mark of progress.unreadable) {
    const orderInSlot = mark.signature === null ? undefined : places.get(mark.signature)
    if (orderInSlot !== undefined) mark.orderInSlot = orderInSlot
  }
  const { isRefused, isStuck, isLate, fault } = reader.state
  // An interrupted turn doesn't show which transactions the endpoints have.
  const isInterrupted = isLate || fault !== undefined
  if (!isInterrupted) progress.lacksHistory = isStuck || !(progress.hasOrigin || progress.gaps.length > 0)
  return {
    progress,
    transactions: reader.transactions,
    places,
    isWatched,
    hasMore: progress.gaps.length > 0 && !isInterrupted && (!isStuck || reader.isFull()),
    isRefused,
    isLate,
    fault,
  }
}

/** Returns whether every new transaction was read or is recorded as part of a gap. */
async function readNews(
  reader: HistoryReader,
  progress: HistoryProgress,
  wasWatched: boolean,
): Promise<boolean> {
  const { settled, gaps } = progress
  const isAnchored = typeof settled?.signature === 'string'
  const until = wasWatched && isAnchored ? settled.older : undefined
  const { entries, isFull, isReplaced } = await reader.list({ limit: PAGE, ...(until && { until }) })
  const end = endOf(entries, settled)
  const newer = entries.slice(0, end)
  // If a node has dropped the transaction that was read last, it may also have dropped later ones.
  const isTorn = (!wasWatched || isReplaced) && isAnchored && end === entries.length
  const count = await reader.read(newer)
  const [first] = entries
  const isCut = count < newer.length
  const isEndless = isFull && newer.length === entries.length
  const isWhole = !isCut && !isEndless && !isTorn && (settled !== null || progress.hasOrigin)
  if (isWhole) {
    const final = newer.find(({ isFinal }) => isFinal)
    // A gap that reaches back to the creation would not be read any more.
    const anchor = final ?? (settled === null ? newer.at(-1) : undefined)
    if (anchor) settleOn(progress, anchor, entries)
    return true
  }
  const reached = isCut ? newer[count - 1] : entries.at(-1)
  // Nothing was listed, maybe because the node has dropped it, or nothing could be read. The next turn tries again.
  if (!first || !reached) return false
  gaps.unshift({ before: reached.signature, slot: reached.slot, until: settled })
  settleOn(progress, first, entries)
  return true
}

function settleOn(
  progress: HistoryProgress,
  { slot, signature }: SignatureInfo,
  entries: readonly SignatureInfo[],
): void {
  const older = entries.find(entry => entry.slot < slot)?.signature ?? progress.settled?.older
  progress.settled = { slot, signature, ...(older && { older }) }
}

/** If the endpoints do not return one gap, the older ones are still read. */
async function readGaps(reader: HistoryReader, progress: HistoryProgress): Promise<void> {
  for (const gap of [...progress.gaps]) {
    if (gap.until === null && progress.hasOrigin) return
    const isClosed = await readGap(reader, gap)
    if (isClosed) progress.gaps = progress.gaps.filter(other => other !== gap)
    if (!reader.skip()) return
  }
}

/** Returns whether all of the gap has been read. */
async function readGap(reader: HistoryReader, gap: HistoryGap): Promise<boolean> {
  const { before, slot = Number.POSITIVE_INFINITY } = gap
  const { entries, isFull, isReplaced } = await reader.list({ ...(before && { before }), limit: PAGE })
  const isOlder = (entry: SignatureInfo) => entry.slot <= slot
  // Without its cursor, the list begins with what has been read.
  const start = entries.some(isOlder) ? entries.findIndex(isOlder) : entries.length
  const end = endOf(entries, gap.until)
  const count = start + (await reader.read(entries.slice(start, end)))
  const reached = entries[count - 1]
  if (reached) Object.assign(gap, { before: reached.signature, slot: Math.min(slot, reached.slot) })
  // The gap may reach further back than the creation of the address.
  if (entries.slice(0, count).some(reader.isOrigin)) return true
  if (count < end) return false
  if (end < entries.length) return true
  // An empty page may come from a node that has dropped older transactions. If no cursor is known, the list would
  // begin with the newest transaction over and over.
  const isStill = start === end || reached?.signature === before
  if (!isFull || (isReplaced && isStill)) reader.block()
  return false
}

/** Tries one undecodable transaction again: an endpoint or this service may have been upgraded. */
async function retryUnreadable(reader: HistoryReader, progress: HistoryProgress): Promise<void> {
  const mark = progress.unreadable.find(({ signature }) => signature !== null)
  if (!mark?.signature) return
  progress.unreadable = progress.unreadable.filter(other => other !== mark)
  if (!(await reader.retry(mark.signature, mark.orderInSlot ?? 0))) progress.unreadable.push(mark)
  else if (mark.isTooNew) reopen(progress)
}

/** The version is supported now, so those of which only the slots are known can be read. */
function reopen(progress: HistoryProgress): void {
  const mark = progress.unreadable.find(({ signature, isTooNew }) => signature === null && isTooNew)
  if (!mark) return
  const { slot, since = 0 } = mark
  progress.unreadable = progress.unreadable.filter(other => other !== mark)
  const older = progress.gaps.findIndex(gap => gap.slot < slot)
  const gap = { before: null, slot, until: { slot: since, signature: null } }
  progress.gaps.splice(older === -1 ? progress.gaps.length : older, 0, gap)
}

/**
 * How many entries of a page are newer than the floor. A fork may have dropped the floor's transaction, so slots
 * count too.
 */
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
