import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import pLimit from 'p-limit'
import type { ChainCalls } from '../../chain/rpc/create-rpc.ts'
import { listBucketAddresses } from '../../store/buckets.ts'
import type { Database } from '../../store/database.ts'
import { type AccountUpdater, AGENT_BATCH, BUCKET_BATCH, LAUNCH_BATCH } from '../accounts/account-updater.ts'
import type { KnownAccounts, MissingAccounts } from '../accounts/known-accounts.ts'
import { discover } from './discover.ts'

const CONCURRENCY = 4
/** Roughly how much of the whole each of the three steps is. */
const SHARES = { discover: 0.4, agents: 0.4, launches: 0.2 }

/** What every full read works with. */
export interface ReadContext {
  network: Network
  rpc: ChainCalls
  database: Database
  known: KnownAccounts
  missing: MissingAccounts
  updater: AccountUpdater
  signal: AbortSignal
  /** Awaited before every batch: reported changes go first. */
  giveWay(): Promise<void>
}

interface ReadOptions {
  /** The chain has reached this slot. */
  slot: number
  /** Agents that need not be read again. */
  skip: readonly Address[]
  onShare(share: number): Promise<void>
}

/**
 * Reads everything that the indexer keeps from the chain into the store: which accounts exist, then each agent, then
 * each registered launch. Only addresses are held in memory, and rows that would not change are not written, so it can
 * be interrupted and started again at any time. Returns the number of accounts read.
 */
export async function readEverything(
  { network, rpc, database, known, missing, updater, signal, giveWay }: ReadContext,
  { slot, skip, onShare }: ReadOptions,
): Promise<number> {
  let shown = -1
  let showing = Promise.resolve()
  const share = (value: number) => {
    if (value - shown < 0.01) return
    shown = value
    showing = onShare(value)
    showing.catch(() => {})
  }
  share(0)
  const { accounts, buckets } = await discover({
    network,
    rpc,
    database,
    signal,
    onAgents(assets) {
      for (const asset of assets) known.agents.add(asset)
    },
    onShare: value => share(value * SHARES.discover),
  })
  missing.found('buckets', buckets)
  const batches = { signal, giveWay }

  // Some nodes omit accounts from their lists: each is read before it counts as missing.
  const stored = await listBucketAddresses(database, network, slot)
  const unlisted = stored.filter(address => !buckets.has(address))
  await eachBatch(unlisted, BUCKET_BATCH, {
    ...batches,
    async work(batch) {
      const seen = new Set(await updater.updateBuckets(batch))
      const absent = batch.filter(address => !seen.has(address))
      missing.noticed('buckets', absent)
    },
  })
  const skipped = new Set(skip)
  const agents = [...known.agents].filter(address => !skipped.has(address))
  await eachBatch(agents, AGENT_BATCH, {
    ...batches,
    work: updater.updateAgents,
    onShare: value => share(SHARES.discover + value * SHARES.agents),
  })
  const launches = [...known.launches]
  await eachBatch(launches, LAUNCH_BATCH, {
    ...batches,
    work: updater.updateLaunches,
    onShare: value => share(SHARES.discover + SHARES.agents + value * SHARES.launches),
  })
  await showing
  return accounts + 2 * agents.length + launches.length
}

/** Works on a few batches at a time; the first failure ends it. */
async function eachBatch(
  all: readonly Address[],
  size: number,
  {
    signal,
    giveWay,
    work,
    onShare = () => {},
  }: {
    signal: AbortSignal
    giveWay(): Promise<void>
    work(batch: Address[]): Promise<void>
    onShare?(share: number): void
  },
): Promise<void> {
  const limit = pLimit(CONCURRENCY)
  let finished = 0
  let hasFailed = false
  const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, at) => at * size)
  await limit.map(starts, async start => {
    if (hasFailed) return
    const batch = all.slice(start, start + size)
    try {
      signal.throwIfAborted()
      await giveWay()
      await work(batch)
    } catch (error) {
      hasFailed = true
      throw error
    }
    finished += batch.length
    onShare(finished / all.length)
  })
}
