import { DEPOSIT_KINDS, LISTED_KINDS } from '@slipway/launch-model/kinds/kinds'
import { showsGraduation } from '@slipway/launch-model/launch-times'
import {
  AGENT_TOOLS_PROGRAM,
  CORE_PROGRAM,
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { decodeBucket } from '../../chain/accounts/bucket.ts'
import { DELEGATION_KEY } from '../../chain/accounts/delegation.ts'
import { decodeIdentity } from '../../chain/accounts/identity.ts'
import type { ProgramAccount } from '../../chain/rpc/requests.ts'
import type { ProgramChange, ProgramTopic } from '../../chain/subscriptions/following.ts'
import { createLru } from '../../lib/create-lru.ts'
import type { Work } from '../accounts/account-updater.ts'
import { toBucketRow } from '../accounts/index-buckets.ts'
import { type BucketHint, digestOf } from '../accounts/index-launches.ts'
import type { KnownAccounts } from '../accounts/known-accounts.ts'

/** Accounts that have to be read, one entry each, however often they were reported. */
export interface PendingChanges {
  /** A subscription reported a change. It only says where to look: the account is read before anything is stored. */
  report(change: ProgramChange): void
  addLaunch(address: Address): void
  /** The agent has to be read as of this slot or later. */
  addAgent(asset: Address, slot: number): void
  addBucket(address: Address): void
  take(): Work
  putBack(work: Work): void
  /** Everything reported before this slot is in the store; undefined if nothing is pending. */
  oldestSlot(): number | undefined
  /** Includes changes that are being applied at the moment. */
  size(): number
  /** Resolves when something is pending, or at the signal. */
  wait(signal: AbortSignal): Promise<void>
}

/** How many bucket heads are remembered as stored, so that repeated swaps on a curve cost no query. */
const HEADS_MAX = 50_000

/** `onLaunch` is called for each report about a bucket of a registered launch. */
export function createPendingChanges(
  network: Network,
  known: KnownAccounts,
  onLaunch: (launch: Address) => void = () => {},
): PendingChanges {
  let work = emptyWork()
  /** Taken, but not stored yet. */
  let taken = emptyWork()
  const heads = createLru<Address, string>(HEADS_MAX)
  let wake = () => {}

  function reportedAt(slot: number) {
    work.sinceSlot = Math.min(work.sinceSlot ?? slot, slot)
    wake()
  }

  function addAgent(asset: Address, slot: number) {
    work.agents.set(asset, Math.max(work.agents.get(asset) ?? 0, slot))
    wake()
  }

  function addBucket(address: Address, slot = 0) {
    work.buckets.set(address, Math.max(work.buckets.get(address) ?? 0, slot))
    wake()
  }

  function addHints(launch: Address, hints: ReadonlyMap<Address, BucketHint>) {
    const all = work.launches.get(launch) ?? new Map<Address, BucketHint>()
    work.launches.set(launch, all)
    for (const [bucket, hint] of hints) all.set(bucket, mergeHints(all.get(bucket), hint))
    wake()
  }

  function reportBucket(account: ProgramAccount, slot: number) {
    const row = toBucketRow(network, account, slot)
    if (!row) return
    const head = `${row.genesisAddress} ${row.creatorFeeWallet}`
    if (heads.get(row.address) !== head) {
      heads.set(row.address, head)
      addBucket(row.address, slot)
    }
    if (!known.launches.has(row.genesisAddress)) return
    onLaunch(row.genesisAddress)
    const bucket = decodeBucket(account)
    const hint = {
      slot,
      digest: digestOf(account.data),
      graduatedSlot: bucket.exists && showsGraduation(bucket) ? slot : undefined,
    }
    addHints(row.genesisAddress, new Map([[row.address, hint]]))
  }

  return {
    report({ topic, slot, address, data }) {
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
      } else reportBucket(account, slot)
      if (sizeOf(work) > 0) reportedAt(slot)
    },
    addLaunch: address => addHints(address, new Map()),
    addAgent,
    addBucket: address => addBucket(address),
    take() {
      taken = work
      work = emptyWork()
      return taken
    },
    putBack({ launches, agents, buckets, sinceSlot }) {
      taken = emptyWork()
      for (const [launch, hints] of launches) addHints(launch, hints)
      for (const [asset, slot] of agents) addAgent(asset, slot)
      for (const [address, slot] of buckets) addBucket(address, slot)
      if (sinceSlot !== undefined) reportedAt(sinceSlot)
    },
    oldestSlot() {
      const slots = [taken.sinceSlot, work.sinceSlot].filter(slot => slot !== undefined)
      return slots.length === 0 ? undefined : Math.min(...slots)
    },
    size: () => sizeOf(work) + sizeOf(taken),
    wait(signal) {
      taken = emptyWork()
      if (sizeOf(work) > 0 || signal.aborted) return Promise.resolve()
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

const sizeOf = ({ launches, agents, buckets }: Work) => launches.size + agents.size + buckets.size

const emptyWork = (): Work => ({
  launches: new Map(),
  agents: new Map(),
  buckets: new Map(),
  sinceSlot: undefined,
})

/** Keeps the later state and the earlier graduation. Of two reports in one slot, the last one wins. */
function mergeHints(before: BucketHint | undefined, after: BucketHint): BucketHint {
  if (!before) return after
  const { slot, digest } = before.slot > after.slot ? before : after
  const graduated = [before.graduatedSlot, after.graduatedSlot].filter(at => at !== undefined)
  return { slot, digest, graduatedSlot: graduated.length > 0 ? Math.min(...graduated) : undefined }
}

export const IDENTITY_TOPIC = 'identities'
export const CORE_TOPIC = 'assets'
export const DELEGATION_TOPIC = 'delegations'
export const DEPOSIT_TOPICS: ReadonlySet<string> = new Set(
  DEPOSIT_KINDS.map(({ name }) => `deposits in ${name}`),
)

/**
 * The accounts that the indexer subscribes to. Buckets and deposits are filtered by kind. Core has far more assets
 * than agents, so only addresses are requested, and only assets of agents are read.
 */
export function listTopics(): ProgramTopic[] {
  return [
    { name: IDENTITY_TOPIC, program: IDENTITY_PROGRAM, filters: [] },
    ...LISTED_KINDS.map(({ name: kind, key: firstByte }) => ({
      name: kind,
      program: GENESIS_PROGRAM,
      filters: [{ memcmp: { offset: 0, bytes: Uint8Array.of(firstByte) } }],
    })),
    {
      name: DELEGATION_TOPIC,
      program: AGENT_TOOLS_PROGRAM,
      filters: [{ memcmp: { offset: 0, bytes: Uint8Array.of(DELEGATION_KEY) } }],
      dataSlice: { offset: 0, length: 0 },
      isOptional: true,
    },
    ...DEPOSIT_KINDS.map(({ name, deposits: { key } }) => ({
      name: `deposits in ${name}`,
      program: GENESIS_PROGRAM,
      filters: [{ memcmp: { offset: 0, bytes: Uint8Array.of(key) } }],
      dataSlice: { offset: 0, length: 0 },
      isOptional: true,
    })),
    {
      name: CORE_TOPIC,
      program: CORE_PROGRAM,
      filters: [],
      dataSlice: { offset: 0, length: 0 },
      isOptional: true,
    },
  ]
}
