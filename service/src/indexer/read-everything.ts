import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { listBucketAddresses } from '../store/buckets.ts'
import type { Database } from '../store/database.ts'
import { AGENTS_AT_ONCE, type Applier, BUCKETS_AT_ONCE, LAUNCHES_AT_ONCE } from './apply.ts'
import { discover } from './discover.ts'
import type { KnownAccounts } from './known-accounts.ts'
import type { MissingAccounts } from './missing-accounts.ts'

const AT_ONCE = 4
/** How much of the whole each of the three steps is, roughly. */
const SHARES = { discover: 0.4, agents: 0.4, launches: 0.2 }

/**
 * Reads all that the indexer keeps, from the chain into the store: what exists, then each agent, then each registered
 * launch. Nothing is kept in memory but addresses, nothing is written that is already so, and whatever is already there
 * does no harm: it can be broken off and begun again at any time.
 */
export async function readEverything({
  network,
  rpc,
  database,
  known,
  missing,
  applier,
  signal,
  slot,
  done,
  giveWay,
  onShare,
}: {
  network: Network
  rpc: ChainRpc
  database: Database
  known: KnownAccounts
  missing: MissingAccounts
  applier: Applier
  signal: AbortSignal
  /** The chain has come to here. */
  slot: number
  /** Agents that need not be read again. */
  done: readonly Address[]
  /** Before every batch: what was told just now goes first. */
  giveWay(): Promise<void>
  onShare(share: number): Promise<void>
}): Promise<number> {
  let told = -1
  let telling = Promise.resolve()
  const share = (value: number) => {
    if (value - told < 0.01) return
    told = value
    telling = onShare(value)
    telling.catch(() => {})
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
  // Some nodes leave accounts out of their lists: each is looked at before it counts as missing.
  const unlisted = (await listBucketAddresses(database, network, slot)).filter(
    address => !buckets.has(address),
  )
  await inBatches(unlisted, {
    size: BUCKETS_AT_ONCE,
    signal,
    giveWay,
    async work(batch) {
      const seen = new Set(await applier.buckets(batch))
      missing.noticed(
        'buckets',
        batch.filter(address => !seen.has(address)),
      )
    },
    onShare() {},
  })
  const skipped = new Set(done)
  const agents = [...known.agents].filter(address => !skipped.has(address))
  await inBatches(agents, {
    size: AGENTS_AT_ONCE,
    signal,
    giveWay,
    work: applier.agents,
    onShare: value => share(SHARES.discover + value * SHARES.agents),
  })
  const launches = [...known.launches]
  await inBatches(launches, {
    size: LAUNCHES_AT_ONCE,
    signal,
    giveWay,
    work: applier.launches,
    onShare: value => share(SHARES.discover + SHARES.agents + value * SHARES.launches),
  })
  await telling
  return accounts + 2 * agents.length + launches.length
}

/** A few batches at a time; ends with the first fault. */
async function inBatches(
  all: readonly Address[],
  {
    size,
    signal,
    giveWay,
    work,
    onShare,
  }: {
    size: number
    signal: AbortSignal
    giveWay(): Promise<void>
    work(batch: Address[]): Promise<void>
    onShare(share: number): void
  },
): Promise<void> {
  let at = 0
  let finished = 0
  let hasFailed = false
  async function worker() {
    while (at < all.length && !hasFailed) {
      signal.throwIfAborted()
      const batch = all.slice(at, at + size)
      at += size
      try {
        await giveWay()
        await work(batch)
      } catch (error) {
        hasFailed = true
        throw error
      }
      finished += batch.length
      onShare(finished / all.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
