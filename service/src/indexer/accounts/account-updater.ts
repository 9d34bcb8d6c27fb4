import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { CheckedReader } from '../../chain/account-reader.ts'
import type { Database } from '../../store/database.ts'
import { isRefusedData } from '../../store/errors.ts'
import type { IndexedKind } from '../../store/tables.ts'
import type { BlockTimes } from './block-times.ts'
import type { DocumentQueue } from './document-queue.ts'
import { indexAgents } from './index-agents.ts'
import { indexBuckets } from './index-buckets.ts'
import { type BucketHint, indexLaunches, type LaunchHints } from './index-launches.ts'
import type { KnownAccounts, MissingAccounts } from './known-accounts.ts'

/** Accounts that were reported as changed and have to be read. */
export interface Work {
  launches: LaunchHints
  /** Each with the earliest slot at which it has to be read. */
  agents: Map<Address, number>
  /** Buckets that may be new, with the slot at which each was reported. */
  buckets: Map<Address, number>
  /** The earliest slot among the reports in this batch. */
  sinceSlot: number | undefined
}

/** Reads accounts and updates their rows in the store, in batches that fit into one RPC call. */
export interface AccountUpdater {
  /** Returns what could not be done because the node that answered is behind. */
  apply(work: Work): Promise<Work>
  updateLaunches(addresses: readonly Address[]): Promise<void>
  /** New agents get their documents after those that changed. */
  updateAgents(addresses: readonly Address[]): Promise<void>
  /** Returns the addresses at which the chain has a bucket. */
  updateBuckets(addresses: readonly Address[]): Promise<Address[]>
  /** Updates the next few known launches and agents, and starts over after the last. */
  sweep(): Promise<void>
}

/** A launch has two or three buckets, an agent two accounts; a node returns a hundred accounts per call. */
export const LAUNCH_BATCH = 40
export const AGENT_BATCH = 50
export const BUCKET_BATCH = 100
/** If many launches change at once, a few calls run concurrently and their rows are written together. */
const LAUNCH_BATCH_MAX = 200

export function createAccountUpdater({
  network,
  reader,
  database,
  times,
  known,
  missing,
  documents,
  onChanges,
  onRemoved,
  onRefused,
}: {
  network: Network
  reader: CheckedReader
  database: Database
  times: BlockTimes
  known: KnownAccounts
  missing: MissingAccounts
  documents: Pick<DocumentQueue, 'addFirst'>
  onChanges(kind: 'launches' | 'agents', count: number): void
  onRemoved(kind: IndexedKind, addresses: readonly Address[]): void
  /** The store refused the data of this account; everything else was stored. */
  onRefused(address: Address, error: unknown): void
}): AccountUpdater {
  const parts = { network, reader, database, times }

  async function applyLaunches(
    hints: LaunchHints,
    options: { onlyNews?: boolean } = {},
  ): Promise<LaunchHints> {
    const left: LaunchHints = new Map()
    const index = async (batch: [Address, Map<Address, BucketHint>][]) => {
      const batchHints = new Map(batch)
      const result = await indexLaunches(parts, batchHints, options)
      if (result.written > 0) onChanges('launches', result.written)
      missing.found('buckets', result.found)
      missing.noticed('buckets', result.missing)
      for (const address of result.behind) left.set(address, batchHints.get(address) ?? new Map())
    }
    await inBatches([...hints], LAUNCH_BATCH_MAX, index, ([address], error) => onRefused(address, error))
    return left
  }

  async function applyAgents(
    agents: ReadonlyMap<Address, number>,
    { isUrgent }: { isUrgent: boolean },
  ): Promise<Map<Address, number>> {
    const left = new Map<Address, number>()
    const index = async (batch: [Address, number][]) => {
      const result = await indexAgents(parts, new Map(batch))
      if (result.written > 0) onChanges('agents', result.written)
      if (isUrgent) for (const address of result.undocumented) documents.addFirst(address)
      for (const address of result.found) known.agents.add(address)
      for (const address of result.gone) known.agents.delete(address)
      missing.found('agents', result.found)
      missing.noticed('agents', result.missing)
      if (result.removed.length > 0) onRemoved('agents', result.removed)
      for (const address of result.behind) left.set(address, agents.get(address) ?? 0)
    }
    await inBatches([...agents], AGENT_BATCH, index, ([address], error) => onRefused(address, error))
    return left
  }

  async function applyBuckets(
    buckets: ReadonlyMap<Address, number>,
  ): Promise<{ left: Map<Address, number>; seen: Address[] }> {
    const left = new Map<Address, number>()
    const seen: Address[] = []
    const index = async (batch: [Address, number][]) => {
      const { found, absent, behind } = await indexBuckets(parts, new Map(batch))
      seen.push(...found)
      // A subscription reported the bucket, so a full read has to find out whether it exists.
      const reported = absent.filter(address => (buckets.get(address) ?? 0) > 0)
      missing.noticed('buckets', reported)
      for (const address of behind) left.set(address, buckets.get(address) ?? 0)
    }
    await inBatches([...buckets], BUCKET_BATCH, index, ([address], error) => onRefused(address, error))
    missing.found('buckets', seen)
    return { left, seen }
  }

  const nextLaunches = takeInTurn(() => known.launches, LAUNCH_BATCH)
  const nextAgents = takeInTurn(() => known.agents, AGENT_BATCH)
  const withoutHints = (addresses: readonly Address[]): LaunchHints =>
    new Map(addresses.map(address => [address, new Map()]))
  const atAnySlot = (addresses: readonly Address[]) => new Map(addresses.map(address => [address, 0]))

  return {
    async apply(work) {
      // Buckets first: launches are read through them.
      const { left: buckets } = await applyBuckets(work.buckets)
      const [launches, agents] = await Promise.all([
        applyLaunches(work.launches),
        applyAgents(work.agents, { isUrgent: true }),
      ])
      return { launches, agents, buckets, sinceSlot: work.sinceSlot }
    },
    async updateLaunches(addresses) {
      await applyLaunches(withoutHints(addresses))
    },
    async updateAgents(addresses) {
      await applyAgents(atAnySlot(addresses), { isUrgent: false })
    },
    updateBuckets: async addresses => (await applyBuckets(atAnySlot(addresses))).seen,
    async sweep() {
      await applyLaunches(withoutHints(nextLaunches()), { onlyNews: true })
      await applyAgents(atAnySlot(nextAgents()), { isUrgent: true })
    },
  }
}

/** Cycles through a set that may change in the meantime. */
function takeInTurn(all: () => ReadonlySet<Address>, count: number): () => Address[] {
  let round: Address[] = []
  return () => {
    if (round.length === 0) round = [...all()]
    return round.splice(-count)
  }
}

/**
 * Works batch by batch. A batch that the store refuses is halved until the refused item is alone and can be skipped:
 * data that anyone can write to the chain must not hold up the rest.
 */
async function inBatches<T>(
  all: readonly T[],
  size: number,
  work: (batch: T[]) => Promise<void>,
  onRefused: (one: T, error: unknown) => void,
): Promise<void> {
  const waiting = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
  for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
    try {
      await work(batch)
    } catch (error) {
      if (!isRefusedData(error)) throw error
      const half = Math.floor(batch.length / 2)
      if (half === 0) onRefused(batch[0] as T, error)
      else waiting.unshift(batch.slice(0, half), batch.slice(half))
    }
  }
}
