import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { CheckedReader } from '../chain/account-reader.ts'
import type { Database } from '../store/database.ts'
import type { IndexedKind } from '../store/tables.ts'
import type { BlockTimes } from './block-times.ts'
import type { DocumentQueue } from './document-queue.ts'
import { inBatches } from './in-batches.ts'
import { indexAgents } from './index-agents.ts'
import { indexBuckets } from './index-buckets.ts'
import { type BucketHint, indexLaunches, type LaunchHints } from './index-launches.ts'
import type { KnownAccounts } from './known-accounts.ts'
import type { MissingAccounts } from './missing-accounts.ts'
import type { Work } from './pending.ts'

/** Brings accounts of the store to what the chain says, in batches of the size that a node answers at once. */
export interface Applier {
  /** Returns what could not be done because the node that answered is behind. */
  apply(work: Work): Promise<Work>
  launches(addresses: readonly Address[]): Promise<void>
  /** Documents of the unknown among them are in no hurry. */
  agents(addresses: readonly Address[]): Promise<void>
  /** Returns those that the chain shows to be buckets, or to be something else. */
  buckets(addresses: readonly Address[]): Promise<Address[]>
  /** The next few of all that are known, again and again. */
  sweep(): Promise<void>
}

/** A launch has two or three buckets, an agent two accounts; a node gives a hundred accounts in one answer. */
export const LAUNCHES_AT_ONCE = 40
/** When many are told at once, a few answers are waited for together and written together. */
const LAUNCHES_MAX = 200
export const AGENTS_AT_ONCE = 50
export const BUCKETS_AT_ONCE = 100

export function createApplier({
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
  documents: DocumentQueue
  onChanges(kind: 'launches' | 'agents', count: number): void
  onRemoved(kind: IndexedKind, addresses: readonly Address[]): void
  /** The store will not take what the chain says of this account; everything else was stored. */
  onRefused(address: Address, error: unknown): void
}): Applier {
  const parts = { network, reader, database, times }

  async function applyLaunches(
    hints: LaunchHints,
    options: { onlyNews?: boolean } = {},
  ): Promise<LaunchHints> {
    const left: LaunchHints = new Map()
    const index = async (batch: [Address, Map<Address, BucketHint>][]) => {
      const asked = new Map(batch)
      const { written, behind, found, missing: notFound } = await indexLaunches(parts, asked, options)
      if (written > 0) onChanges('launches', written)
      missing.found('buckets', found)
      missing.noticed('buckets', notFound)
      for (const address of behind) left.set(address, asked.get(address) ?? new Map())
    }
    await inBatches([...hints], LAUNCHES_MAX, index, ([address], error) => onRefused(address, error))
    return left
  }

  async function applyAgents(
    agents: ReadonlyMap<Address, number>,
    queue: 'addFirst' | 'add',
  ): Promise<Map<Address, number>> {
    const left = new Map<Address, number>()
    const index = async (batch: [Address, number][]) => {
      const result = await indexAgents(parts, new Map(batch))
      if (result.written > 0) onChanges('agents', result.written)
      for (const address of result.undocumented) documents[queue](address)
      for (const address of result.found) known.agents.add(address)
      for (const address of result.gone) known.agents.delete(address)
      missing.found('agents', result.found)
      missing.noticed('agents', result.missing)
      if (result.removed.length > 0) onRemoved('agents', result.removed)
      for (const address of result.behind) left.set(address, agents.get(address) ?? 0)
    }
    await inBatches([...agents], AGENTS_AT_ONCE, index, ([address], error) => onRefused(address, error))
    return left
  }

  async function applyBuckets(
    buckets: ReadonlyMap<Address, number>,
  ): Promise<{ left: Map<Address, number>; seen: Address[] }> {
    const left = new Map<Address, number>()
    const seen: Address[] = []
    const index = async (batch: [Address, number][]) => {
      const { found, gone, behind } = await indexBuckets(parts, new Map(batch))
      seen.push(...found, ...gone)
      for (const address of behind) left.set(address, buckets.get(address) ?? 0)
    }
    await inBatches([...buckets], BUCKETS_AT_ONCE, index, ([address], error) => onRefused(address, error))
    missing.found('buckets', seen)
    return { left, seen }
  }

  const launchTurns = takeTurns(() => known.launches, LAUNCHES_AT_ONCE)
  const agentTurns = takeTurns(() => known.agents, AGENTS_AT_ONCE)
  const unhinted = (addresses: readonly Address[]): LaunchHints =>
    new Map(addresses.map(address => [address, new Map()]))
  const unslotted = (addresses: readonly Address[]) => new Map(addresses.map(address => [address, 0]))

  return {
    async apply(work) {
      // Launches are read through their buckets.
      const { left: buckets } = await applyBuckets(work.buckets)
      const [launches, agents] = await Promise.all([
        applyLaunches(work.launches),
        applyAgents(work.agents, 'addFirst'),
      ])
      return { launches, agents, buckets, sinceSlot: work.sinceSlot }
    },
    async launches(addresses) {
      await applyLaunches(unhinted(addresses))
    },
    async agents(addresses) {
      await applyAgents(unslotted(addresses), 'add')
    },
    buckets: async addresses => (await applyBuckets(unslotted(addresses))).seen,
    async sweep() {
      await applyLaunches(unhinted(launchTurns()), { onlyNews: true })
      await applyAgents(unslotted(agentTurns()), 'addFirst')
    },
  }
}

/** Goes round a set that changes meanwhile. */
function takeTurns(all: () => ReadonlySet<Address>, count: number): () => Address[] {
  let round: Address[] = []
  return () => {
    if (round.length === 0) round = [...all()]
    return round.splice(-count)
  }
}
