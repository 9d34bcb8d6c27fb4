import { decodeTrades, type TradedLaunch } from '@slipway/launch-model/history/decode-trades'
import type { Trade } from '@slipway/launch-model/history/trade'
import { type LandedTransaction, UnreadableData } from '@slipway/launch-model/history/transaction'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { findBucketsOf } from '../../store/buckets.ts'
import { type Database, withinTransaction } from '../../store/database.ts'
import {
  findTradeProgress,
  type HistoryProgress,
  isComplete,
  saveTradeProgress,
} from '../../store/trade-progress.ts'
import { POOL_ORDER, removeTrades, saveTrades } from '../../store/trades.ts'
import {
  addUnreadable,
  type HistoryParts,
  type HistoryRpc,
  type ListedTransaction,
} from './history-reader.ts'
import { isPool, type LaunchPools } from './launch-pools.ts'
import { newProgress, readHistory } from './read-history.ts'
import type { RpcBudget } from './rpc-budget.ts'
import { isSettlingDue, type SettleRpc, settleHistory } from './settle-history.ts'

export interface ReadLaunchParts {
  network: Network
  rpc: HistoryRpc & SettleRpc & Pick<ChainCalls, 'confirmCluster'>
  database: Database
  budget: RpcBudget
  landed: HistoryParts['landed']
  lastRead: HistoryParts['lastRead']
  pools: LaunchPools
  /** When every new transaction of an address was last read or recorded as part of a gap. */
  watched: Map<Address, number>
}

/** Each address is checked once an hour, even if nothing happens. Endpoints keep transactions for longer than this. */
const WATCHED_MS = 2 * 3_600_000

/** The result of one turn of a launch. */
export interface LaunchTurn {
  stored: number
  /** Whether the chain had trades that had not been read. */
  isNews: boolean
  /** Whether there is more to read at once. */
  hasMore: boolean
  /** Whether trades may be missing from the store. */
  isBehind: boolean
  /** Whether some transactions are not final yet. */
  isUnsettled: boolean
  /** Whether an endpoint refused a request. */
  isRefused: boolean
  /** Whether the endpoints list a transaction that they do not have yet. */
  isLate: boolean
  /** Whether the launch has graduated into a pool. */
  hasPool: boolean
  /** Why the turn ended early, if a request failed. */
  fault: Error | undefined
}

/** Reads some of a launch's transactions and stores their trades and the progress in one transaction. */
export async function readLaunch(parts: ReadLaunchParts, genesis: Address): Promise<LaunchTurn | undefined> {
  const { network, database, pools } = parts
  const buckets = await findBucketsOf(database, network, [genesis])
  const baseMint = buckets[0]?.mint
  if (!baseMint) return undefined
  const launch = { genesis, baseMint, pools: await pools.of(buckets) }
  const known = await findTradeProgress(database, network, genesis)
  const turns: Omit<LaunchTurn, 'hasPool'>[] = []
  for (const address of [genesis, ...launch.pools.map(pool => pool.address)]) {
    const before = known.find(progress => progress.address === address)
    turns.push(await readAddress(parts, launch, before ?? newProgress(address)))
  }
  const some = (name: Exclude<keyof LaunchTurn, 'stored' | 'hasPool' | 'fault'>) =>
    turns.some(turn => turn[name])
  return {
    stored: turns.reduce((sum, turn) => sum + turn.stored, 0),
    isNews: some('isNews'),
    hasMore: some('hasMore'),
    isBehind: some('isBehind'),
    isUnsettled: some('isUnsettled'),
    isRefused: some('isRefused'),
    isLate: some('isLate'),
    // The pool's account may not exist yet.
    hasPool: buckets.some(isPool),
    fault: turns.find(turn => turn.fault)?.fault,
  }
}

async function readAddress(
  parts: ReadLaunchParts,
  launch: TradedLaunch,
  before: HistoryProgress,
): Promise<Omit<LaunchTurn, 'hasPool'>> {
  const { rpc } = parts
  const sinceMs = performance.now()
  const lookedMs = parts.watched.get(before.address) ?? Number.NEGATIVE_INFINITY
  const read = await readHistory(parts, before, sinceMs - lookedMs < WATCHED_MS)
  const isOfPool = before.address !== launch.genesis
  const first = isOfPool ? POOL_ORDER : 0
  const unreadable: ListedTransaction[] = []
  const trades = read.transactions.flatMap(transaction => {
    const found = decodeTradesIn(launch, transaction)
    if (!found) unreadable.push(transaction)
    // The others are in the history of the other address, and have their place there.
    return (found ?? [])
      .filter(({ poolFee }) => poolFee > 0n === isOfPool)
      .map(trade => ({ ...trade, orderInSlot: first + transaction.orderInSlot }))
  })
  const places = new Map([...read.places].map(([signature, order]) => [signature, first + order]))
  await rpc.confirmCluster(sinceMs)
  const progressRead = forgetIdle(read, [...trades, ...unreadable])
  for (const transaction of unreadable)
    progressRead.unreadable = addUnreadable(progressRead.unreadable, transaction)
  const stored = await save(parts, launch.genesis, { before, progress: progressRead, trades, places })
  if (read.isWatched) parts.watched.set(before.address, sinceMs)
  const isQuiet = read.transactions.length === 0 && progressRead.recent.length > 0
  // This comes after storing, so that a failure here loses no transactions that were read.
  const { progress, undone } =
    !read.fault && (isQuiet || isSettlingDue(progressRead))
      ? await settle(parts, launch.genesis, progressRead)
      : { progress: progressRead, undone: [] }
  return {
    stored,
    isNews: trades.length > 0,
    hasMore: read.hasMore || undone.length > 0,
    isBehind: progress.lacksHistory || !isComplete(progress),
    isUnsettled: progress.recent.length > 0,
    isRefused: read.isRefused,
    isLate: read.isLate,
    fault: read.fault,
  }
}

/** Undefined if it moves something of the launch, but doesn't say readably how much. */
function decodeTradesIn(launch: TradedLaunch, transaction: LandedTransaction): Trade[] | undefined {
  try {
    return decodeTrades(launch, transaction)
  } catch (error) {
    if (error instanceof UnreadableData) return undefined
    throw error
  }
}

/**
 * Anyone can name a launch in a transaction that moves nothing of it. Whether that becomes final doesn't matter, unless
 * the history is read from there on.
 */
function forgetIdle(
  { progress, transactions }: Awaited<ReturnType<typeof readHistory>>,
  kept: readonly { signature: string }[],
): HistoryProgress {
  const moving = new Set([...kept.map(({ signature }) => signature), progress.settled?.signature])
  const idle = new Set(
    transactions.map(({ signature }) => signature).filter(signature => !moving.has(signature)),
  )
  return { ...progress, recent: progress.recent.filter(({ signature }) => !idle.has(signature)) }
}

async function settle(parts: ReadLaunchParts, genesis: Address, before: HistoryProgress) {
  const sinceMs = performance.now()
  const { progress, undone } = await settleHistory(parts, before)
  await parts.rpc.confirmCluster(sinceMs)
  await save(parts, genesis, { before, progress, undone })
  return { progress, undone }
}

async function save(
  { network, database }: ReadLaunchParts,
  genesis: Address,
  {
    before,
    progress,
    trades = [],
    places,
    undone = [],
  }: {
    before: HistoryProgress
    progress: HistoryProgress
    trades?: Parameters<typeof saveTrades>[3]
    places?: Parameters<typeof saveTrades>[4]
    undone?: readonly string[]
  },
): Promise<number> {
  if (JSON.stringify(progress) === JSON.stringify(before) && trades.length === 0) return 0
  return database.transact('trades.read', async db => {
    const within = withinTransaction(db)
    if (undone.length > 0) await removeTrades(within, network, genesis, undone)
    const stored = await saveTrades(within, network, genesis, trades, places)
    await saveTradeProgress(db, network, genesis, progress)
    return stored
  })
}
