import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { LRUCache } from 'lru-cache'
import { decodeBucket } from '../chain/accounts/bucket.ts'
import { decodeIdentity } from '../chain/accounts/identity.ts'
import { CORE_PROGRAM, GENESIS_PROGRAM, IDENTITY_PROGRAM } from '../chain/addresses/programs.ts'
import type { ProgramAccount } from '../chain/rpc/program-accounts.ts'
import type { ProgramChange } from '../chain/subscriptions/following.ts'
import { toBucketRow } from './discover.ts'
import { type BucketHint, digestOf, hasGraduated, type LaunchHints } from './index-launches.ts'
import type { KnownAccounts } from './known-accounts.ts'
import { CORE_TOPIC, IDENTITY_TOPIC } from './topics.ts'

/** What was told and is not yet in the store, one entry for each account, however often it was told. */
export interface Pending {
  told(change: ProgramChange): void
  lookAtLaunches(addresses: Iterable<Address>): void
  /** The agent has to be seen as of this slot or later. */
  lookAtAgent(asset: Address, slot: number): void
  lookAtBuckets(addresses: Iterable<Address>): void
  take(): Work
  putBack(work: Work): void
  /** Everything told before this slot is in the store; undefined when nothing waits. */
  oldestSlot(): number | undefined
  /** With what is being written just now. */
  size(): number
  /** Resolves when there is something, or at `signal`. */
  wait(signal: AbortSignal): Promise<void>
}

export interface Work {
  launches: LaunchHints
  agents: Map<Address, number>
  /** Buckets that may be new, each with the slot at which it was told. */
  buckets: Map<Address, number>
  /** The slot of the first thing told in here. */
  sinceSlot: number | undefined
}

/** So many bucket heads are remembered as written, so that the thousandth swap on a curve costs no query. */
const HEADS_MAX = 50_000

export function createPending(network: Network, known: KnownAccounts): Pending {
  let work = emptyWork()
  /** What was taken and is not yet known to be in the store. */
  let taken = emptyWork()
  const heads = new LRUCache<Address, string>({ max: HEADS_MAX })
  let wake = () => {}

  const isEmpty = () => sizeOf(work) === 0

  function since(slot: number) {
    work.sinceSlot = Math.min(work.sinceSlot ?? slot, slot)
    wake()
  }

  function addAgent(asset: Address, slot: number) {
    work.agents.set(asset, Math.max(work.agents.get(asset) ?? 0, slot))
  }

  function addBucket(address: Address, slot: number) {
    work.buckets.set(address, Math.max(work.buckets.get(address) ?? 0, slot))
  }

  function addHints(launch: Address, hints: ReadonlyMap<Address, BucketHint>) {
    const all = work.launches.get(launch) ?? new Map<Address, BucketHint>()
    work.launches.set(launch, all)
    for (const [bucket, hint] of hints) all.set(bucket, join(all.get(bucket), hint))
  }

  function bucketTold(account: ProgramAccount, slot: number) {
    const row = toBucketRow(network, account, slot)
    if (!row) return
    const head = `${row.genesisAddress} ${row.creatorFeeWallet}`
    if (heads.get(row.address) !== head) {
      heads.set(row.address, head)
      addBucket(row.address, slot)
    }
    if (!known.launches.has(row.genesisAddress)) return
    const bucket = decodeBucket(account)
    addHints(
      row.genesisAddress,
      new Map([
        [
          row.address,
          {
            slot,
            digest: digestOf(account.data),
            graduatedSlot: bucket.exists && hasGraduated(bucket) ? slot : undefined,
          },
        ],
      ]),
    )
  }

  return {
    told({ topic, slot, address, data }) {
      const owner =
        topic === CORE_TOPIC ? CORE_PROGRAM : topic === IDENTITY_TOPIC ? IDENTITY_PROGRAM : GENESIS_PROGRAM
      const account: ProgramAccount = { exists: true, address, owner, lamports: 0n, data }
      if (topic === CORE_TOPIC) {
        if (!known.agents.has(address)) return
        addAgent(address, slot)
      } else if (topic === IDENTITY_TOPIC) {
        const identity = decodeIdentity(account)
        if (!identity.exists) return
        known.agents.add(identity.asset)
        addAgent(identity.asset, slot)
      } else bucketTold(account, slot)
      if (!isEmpty()) since(slot)
    },
    lookAtLaunches(addresses) {
      for (const address of addresses) addHints(address, NO_HINTS)
      wake()
    },
    lookAtAgent(asset, slot) {
      addAgent(asset, slot)
      wake()
    },
    lookAtBuckets(addresses) {
      for (const address of addresses) addBucket(address, 0)
      wake()
    },
    take() {
      const all = work
      work = emptyWork()
      taken = all
      return all
    },
    putBack({ launches, agents, buckets, sinceSlot }) {
      taken = emptyWork()
      for (const [launch, hints] of launches) addHints(launch, hints)
      for (const [asset, slot] of agents) addAgent(asset, slot)
      for (const [address, slot] of buckets) addBucket(address, slot)
      if (sinceSlot !== undefined) since(sinceSlot)
      wake()
    },
    oldestSlot() {
      const slots = [taken.sinceSlot, work.sinceSlot].filter(slot => slot !== undefined)
      return slots.length === 0 ? undefined : Math.min(...slots)
    },
    size: () => sizeOf(work) + sizeOf(taken),
    wait(signal) {
      taken = emptyWork()
      if (!isEmpty() || signal.aborted) return Promise.resolve()
      return new Promise(resolve => {
        const done = () => {
          signal.removeEventListener('abort', done)
          wake = () => {}
          resolve()
        }
        signal.addEventListener('abort', done)
        wake = done
      })
    },
  }
}

const NO_HINTS: ReadonlyMap<Address, BucketHint> = new Map()

const sizeOf = ({ launches, agents, buckets }: Work) => launches.size + agents.size + buckets.size

const emptyWork = (): Work => ({
  launches: new Map(),
  agents: new Map(),
  buckets: new Map(),
  sinceSlot: undefined,
})

/** The latest of the two, and the earlier graduation. Of two in one slot the one that was told last. */
function join(before: BucketHint | undefined, after: BucketHint): BucketHint {
  if (!before) return after
  const { slot, digest } = before.slot > after.slot ? before : after
  const graduated = [before.graduatedSlot, after.graduatedSlot].filter(at => at !== undefined)
  return { slot, digest, graduatedSlot: graduated.length > 0 ? Math.min(...graduated) : undefined }
}
