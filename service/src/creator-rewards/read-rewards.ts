import { poolStateAddress } from '@slipway/launch-model/addresses'
import type { CreatorFee, RewardBucket } from '@slipway/launch-model/bucket'
import { becomesPool } from '@slipway/launch-model/kinds/kinds'
import type { Address } from '@slipway/schema/address'
import type { RewardKind } from '@slipway/schema/creator-rewards'
import type { AccountReader, ChainAccount } from '../chain/account-reader.ts'
import { decodeReward } from '../chain/accounts/bucket.ts'
import { decodeGenesisAccount } from '../chain/accounts/genesis-account.ts'
import { decodePoolState, type PoolState } from '../chain/accounts/pool-state.ts'
import type { Deadline } from '../lib/deadline.ts'
import type { WalletBucket } from '../store/buckets.ts'

/** A bucket that pays a wallet, as read from the chain in this call. */
export interface Reward extends Claimable {
  address: Address
  kind: RewardKind
  genesis: Address
  baseMint: Address
  quoteMint: Address
  accrued: bigint
  claimed: bigint
  /** The pool that the launch graduated into; AMM buckets only. */
  pool?: PoolState | undefined
}

interface Claimable {
  /** What a claim would pay now, including what it collects from the pool. */
  claimable: bigint
  /** What the pool still holds for the creator. */
  uncollected: bigint
}

interface ReadRewards {
  /** In the order of the buckets. Those that are missing on the chain or pay another wallet are left out. */
  rewards: Reward[]
  /** Accounts that the rewards depend on and the node did not have: buckets, pools of graduated launches, launches. */
  missing: Address[]
  /** The other accounts that were read, in their order. */
  alongside: ChainAccount[]
  /** The oldest slot of all reads. */
  slot: number
}

/** A node's limit per call, and the number of concurrent calls for one wallet. */
const ADDRESSES_MAX = 100
const CALLS_MAX = 5

/**
 * Reads what the buckets of a wallet hold now, up to a hundred accounts per call. An AMM bucket is two accounts,
 * itself and its pool, which are always read at the same slot. The first call also reads `alongside`. Larger wallets
 * are read in steps, to keep only a few responses in memory.
 */
export async function readRewards(
  reader: AccountReader,
  wallet: Address,
  {
    buckets,
    alongside,
    deadline,
  }: { buckets: readonly WalletBucket[]; alongside: readonly Address[]; deadline: Deadline },
): Promise<ReadRewards> {
  const read: ReadRewards = { rewards: [], missing: [], alongside: [], slot: Number.POSITIVE_INFINITY }
  if (buckets.length === 0) return read
  const calls = planCalls(buckets, alongside.length)
  for (let at = 0; at < calls.length; at += CALLS_MAX) {
    // A wallet with ten thousand buckets takes some forty steps.
    deadline.assertInTime()
    const steps = calls.slice(at, at + CALLS_MAX).map(async (call, index) => {
      const extra = at + index === 0 ? alongside : []
      const addresses = [...call.flatMap(accountsOf), ...extra]
      const { slot, accounts } = await reader.fetchAccounts(addresses)
      read.slot = Math.min(read.slot, slot)
      if (extra.length > 0) read.alongside = accounts.slice(-extra.length)
      const { decoded, missing } = decodeCall(call, accounts, wallet)
      read.missing.push(...missing)
      return decoded
    })
    const { rewards, missing } = await toRewards(reader, (await Promise.all(steps)).flat())
    read.rewards.push(...rewards)
    read.missing.push(...missing)
  }
  return read
}

const accountsOf = ({ address, kind }: WalletBucket): Address[] =>
  becomesPool(kind) ? [address, poolStateAddress(address)] : [address]

function planCalls(buckets: readonly WalletBucket[], taken: number): WalletBucket[][] {
  const calls: WalletBucket[][] = [[]]
  let size = taken
  for (const bucket of buckets) {
    const more = becomesPool(bucket.kind) ? 2 : 1
    if (size + more > ADDRESSES_MAX) {
      calls.push([])
      size = 0
    }
    calls.at(-1)?.push(bucket)
    size += more
  }
  return calls
}

interface Decoded {
  bucket: RewardBucket & { address: Address }
  pool: ChainAccount | undefined
}

/** The chain decides what a bucket is and which wallet it pays: the store may be outdated. */
function decodeCall(
  call: readonly WalletBucket[],
  accounts: readonly ChainAccount[],
  wallet: Address,
): { decoded: Decoded[]; missing: Address[] } {
  let at = 0
  const missing: Address[] = []
  const decoded = call.flatMap(({ address, kind }) => {
    const bucket = decodeReward(accounts[at++] as ChainAccount)
    const pool = becomesPool(kind) ? accounts[at++] : undefined
    if (!bucket.exists) missing.push(address)
    if (!bucket.exists || bucket.creatorFee?.wallet !== wallet) return []
    if (pool && bucket.hasPool && !hasData(pool)) missing.push(pool.address)
    return [{ bucket, pool }]
  })
  return { decoded, missing }
}

export const hasData = (account: ChainAccount) => account.exists && account.data.length > 0

async function toRewards(
  reader: AccountReader,
  decoded: readonly Decoded[],
): Promise<{ rewards: Reward[]; missing: Address[] }> {
  const { mints, missing } = await fetchMissingMints(reader, decoded)
  const rewards = decoded.flatMap(({ bucket, pool: account }) => {
    const { address, kind, genesis, creatorFee } = bucket
    const { baseMint, quoteMint } =
      bucket.baseMint && bucket.quoteMint ? bucket : (mints.get(genesis) ?? bucket)
    if (!creatorFee || !baseMint || !quoteMint) return []
    const pool = account && decodePoolState(account, { baseMint, quoteMint })
    const found = pool?.exists ? pool : undefined
    return [
      {
        address,
        kind: kind as RewardKind,
        genesis,
        baseMint,
        quoteMint,
        accrued: creatorFee.accrued,
        claimed: creatorFee.claimed,
        ...claimableOf(creatorFee, found),
        pool: found,
      },
    ]
  })
  return { rewards, missing }
}

/** Old buckets do not name their mints; their launches do. One more read, for those only. */
async function fetchMissingMints(
  reader: AccountReader,
  decoded: readonly Decoded[],
): Promise<{ mints: Map<Address, { baseMint: Address; quoteMint: Address }>; missing: Address[] }> {
  const without = decoded.filter(({ bucket }) => !bucket.baseMint || !bucket.quoteMint)
  const launches = [...new Set(without.map(({ bucket }) => bucket.genesis))]
  if (launches.length === 0) return { mints: new Map(), missing: [] }
  const { accounts } = await reader.fetchAccounts(launches)
  const found = accounts.map(decodeGenesisAccount).filter(launch => launch.exists)
  return {
    mints: new Map(found.map(launch => [launch.address, launch])),
    missing: accounts.filter(account => !hasData(account)).map(({ address }) => address),
  }
}

/**
 * What a creator can claim from a bucket. Sources disagree on `accrued`: it either counts up forever, or a claim
 * resets it. This rule is right in both cases: nothing if `accrued` is zero or equals `claimed`, else the difference,
 * or `accrued` itself if it is below `claimed` because of a reset.
 *
 * Only the quote side of a pool's fees counts. The base side is collected into an account of the program, and no
 * instruction pays it to the creator, so collecting it would cost a fee and pay nothing.
 */
export function claimableOf({ accrued, claimed }: CreatorFee, pool?: PoolState): Claimable {
  const uncollected = pool?.creatorFees.quote ?? 0n
  return { claimable: inBucket(accrued, claimed) + uncollected, uncollected }
}

function inBucket(accrued: bigint, claimed: bigint): bigint {
  if (accrued === claimed) return 0n
  return accrued > claimed ? accrued - claimed : accrued
}

/** Largest first; ties by address, so that every node and call has the same order. */
export function compareRewards(a: Reward, b: Reward): number {
  if (a.claimable !== b.claimable) return a.claimable > b.claimable ? -1 : 1
  return a.address < b.address ? -1 : 1
}
