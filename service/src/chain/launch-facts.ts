import type { Address } from '@slipway/schema/address'
import type { Mechanic } from '@slipway/schema/launch'
import type { AccountReader, ChainAccount } from './account-reader.ts'
import { type Bucket, type DecodedBucket, decodeBucket } from './accounts/bucket.ts'
import { type BucketTime, type Condition, clampTime } from './accounts/bucket-layouts.ts'
import type { Decoded } from './accounts/decode-account.ts'
import { decodeGenesisAccount, type GenesisAccount } from './accounts/genesis-account.ts'
import { decodeMint, decodeTokenMetadata, findTokenName, type TokenName } from './accounts/mint.ts'
import { bucketCandidates, tokenMetadataAddress } from './addresses/addresses.ts'
import type { ChainRpc } from './rpc/create-rpc.ts'
import { RpcError } from './rpc/fault.ts'

/** What the chain says about a launch. */
export interface LaunchFacts {
  genesis: GenesisAccount
  buckets: DecodedBucket[]
  /** Undefined if the base mint is missing or has no name. */
  token: TokenName | undefined
  /** Undefined while there is no primary bucket. */
  times: LaunchTimes | undefined
}

/** Takes two round trips, because the launch's account has the number of buckets. There are no facts without a launch. */
export async function fetchLaunchFacts(
  reader: AccountReader,
  address: Address,
): Promise<{ slot: number; facts: LaunchFacts | undefined }> {
  const first = await reader.fetchAccounts([address])
  const genesis = decodeGenesisAccount(first.accounts[0] as ChainAccount)
  if (!genesis.exists) return { slot: first.slot, facts: undefined }
  const { baseMint, bucketCount } = genesis
  const { slot, accounts } = await reader.fetchAccounts([
    baseMint,
    tokenMetadataAddress(baseMint),
    ...bucketCandidates(address, bucketCount),
  ])
  const [mint, metadata, ...candidates] = accounts as [ChainAccount, ChainAccount, ...ChainAccount[]]
  // A bucket counts only for the launch that it names.
  const buckets = candidates
    .map(decodeBucket)
    .filter(bucket => bucket.exists)
    .filter(bucket => bucket.genesis === address)
  return {
    slot,
    facts: {
      genesis,
      buckets,
      token: findTokenName(decodeMint(mint), decodeTokenMetadata(metadata)),
      times: resolveLaunchTimes(buckets),
    },
  }
}

/** What the buckets of a launch determine together. Times are Unix seconds, and absent if the chain has none. */
export interface LaunchTimes {
  /** The bucket that gives the launch its mechanic and times. */
  primary: DecodedBucket
  mechanic: Mechanic
  startTime?: number
  endTime?: number
  graduated: boolean
}

/** Undefined while there is no primary bucket. */
export function resolveLaunchTimes(decoded: readonly Decoded<Bucket>[]): LaunchTimes | undefined {
  const buckets = decoded.filter(bucket => bucket.exists)
  const primary = findPrimary(buckets)
  if (!primary) return undefined
  const times = INSTANTS[primary.kind as Mechanic]
  const startTime = resolveTime(buckets, primary.conditions[times.start])
  const endTime = resolveTime(buckets, primary.conditions[times.end])
  return {
    primary,
    mechanic: primary.kind as Mechanic,
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
    graduated: isGraduated(buckets, primary),
  }
}

/** The first kind wins a tie. */
const INSTANTS: Record<Mechanic, { start: BucketTime; end: BucketTime }> = {
  launchpoolV2: { start: 'DepositStart', end: 'DepositEnd' },
  presaleV2: { start: 'DepositStart', end: 'DepositEnd' },
  bondingCurveV2: { start: 'SwapStart', end: 'SwapEnd' },
}
const MECHANICS = Object.keys(INSTANTS)

/** The bucket with the largest share of the supply; a tie goes to the first kind, then to the lowest index. */
function findPrimary(buckets: readonly DecodedBucket[]): DecodedBucket | undefined {
  const [first] = buckets
    .filter(({ kind }) => MECHANICS.includes(kind))
    .sort(
      (a, b) =>
        Number(b.baseTokenAllocation > a.baseTokenAllocation) -
          Number(b.baseTokenAllocation < a.baseTokenAllocation) ||
        MECHANICS.indexOf(a.kind) - MECHANICS.indexOf(b.kind) ||
        a.bucketIndex - b.bucketIndex,
    )
  return first
}

const STEPS_MAX = 4

/** When a condition is or was met, if that is a time. The limit on steps also ends a cycle. */
function resolveTime(
  buckets: readonly DecodedBucket[],
  condition: Condition | undefined,
  stepsLeft = STEPS_MAX,
): number | undefined {
  if (!condition || condition.triggeredTimestamp !== undefined) return condition?.triggeredTimestamp
  if (condition.kind === 'TimeAbsolute') return condition.time
  if (condition.kind !== 'TimeRelative' || stepsLeft === 0) return undefined
  const other = findBucket(buckets, condition.bucket)?.conditions[condition.bucketTime]
  const time = resolveTime(buckets, other, stepsLeft - 1)
  return time === undefined ? undefined : clampTime(time + condition.timeOffset)
}

const findBucket = (buckets: readonly DecodedBucket[], address: Address) =>
  buckets.find(bucket => bucket.address === address)

/** With an AMM bucket, the pool decides. Without one, every end behaviour must have run. */
function isGraduated(buckets: readonly DecodedBucket[], primary: DecodedBucket): boolean {
  const pools = buckets.filter(({ kind }) => kind === 'raydiumCpmmV2')
  if (pools.length > 0) return pools.some(pool => (pool.graduatedBaseTokenAmount ?? 0n) > 0n)
  if (primary.kind === 'bondingCurveV2') return false
  // This one runs instead of the others if a launch fails.
  const due = primary.endBehaviours.filter(
    ({ kind }) => kind !== 'None' && kind !== 'ReallocateBaseTokensOnFailure',
  )
  return due.length > 0 && due.every(({ processed }) => processed)
}

export type HistoryReader = Pick<ChainRpc, 'fetchSignatures' | 'fetchBlockTime'>

/** How many transactions are searched for one that succeeded. */
const LOOK_BACK = 20

/** When the newest successful transaction of an account landed. Best effort: nodes prune history and block times. */
export async function fetchLastTransactionAt(
  rpc: HistoryReader,
  address: Address,
): Promise<Date | undefined> {
  try {
    const signatures = await rpc.fetchSignatures(address, { limit: LOOK_BACK })
    const newest = signatures.find(({ failed }) => !failed)
    const seconds = newest && (newest.blockTime ?? (await rpc.fetchBlockTime(newest.slot)))
    return seconds === undefined ? undefined : new Date(clampTime(seconds) * 1_000)
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}
