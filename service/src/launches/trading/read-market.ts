import { poolStateAddress, poolVaultAddress } from '@slipway/launch-model/addresses'
import { showsGraduation } from '@slipway/launch-model/launch-times'
import { decodePoolConfig, decodePoolData, type PoolAccount } from '@slipway/launch-model/pool-state'
import {
  CLOCK_SYSVAR,
  RAYDIUM_CREATOR_FEE_CONFIGS,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
} from '@slipway/launch-model/programs'
import type { Market } from '@slipway/launch-model/trade/market'
import { tradedPool } from '@slipway/launch-model/trade/traded-pool'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { AccountReader, ChainAccount } from '../../chain/account-reader.ts'
import { type DecodedBucket, decodeBucket } from '../../chain/accounts/bucket.ts'
import { decodeProgramAccount } from '../../chain/accounts/decode-account.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import type { LaunchShape } from './launch-shape.ts'

/** A launch as it trades now, all of it as of one slot. */
export interface MarketReading {
  slot: number
  shape: LaunchShape
  market: Market
  /** The pool that the launch graduated into, with the accounts that a swap in it names. */
  pool: FoundPool | undefined
  /** The other accounts that were asked for. */
  others: ReadonlyMap<Address, ChainAccount>
}

export interface FoundPool extends PoolAccount {
  address: Address
  environment: RaydiumEnvironment
  config: Address
}

/**
 * Reads everything that a trade depends on in one call. Only the first read of a pool with a configuration of its own
 * takes a second one: a pool names its configuration, which the shape then keeps.
 */
export async function readMarket(
  reader: AccountReader,
  environment: RaydiumEnvironment,
  shape: LaunchShape,
  also: readonly Address[] = [],
  isSecondRead = false,
): Promise<MarketReading> {
  const config = shape.poolConfig ?? RAYDIUM_CREATOR_FEE_CONFIGS[environment]
  const pools = shape.poolBuckets.map(bucket => poolAccounts(environment, shape, bucket))
  const { slot, accounts } = await reader.fetchAccounts([
    ...new Set([CLOCK_SYSVAR, config, ...shape.buckets, ...pools.flatMap(Object.values), ...also]),
  ])
  const found = new Map(accounts.map(account => [account.address, account]))
  const at = (address: Address) => found.get(address) as ChainAccount
  const buckets = shape.buckets.map(address => decodeBucket(at(address))).filter(bucket => bucket.exists)
  // An endpoint that lacks one bucket may lack others too.
  if (buckets.length < shape.buckets.length) throw new ServiceError('SERVICE_UNAVAILABLE')
  const nowSeconds = readClock(at(CLOCK_SYSVAR))
  const others = new Map(also.map(address => [address, at(address)]))
  const graduated = buckets.find(
    bucket => shape.poolBuckets.includes(bucket.address) && showsGraduation(bucket),
  )
  if (!graduated) return { slot, shape, market: { buckets, nowSeconds }, pool: undefined, others }

  const pool = decodePool(at, environment, graduated)
  if (pool && pool.config !== config) {
    // Endpoints that disagree about it can't both be believed.
    if (isSecondRead) throw new ServiceError('SERVICE_UNAVAILABLE')
    shape.poolConfig = pool.config
    return readMarket(reader, environment, shape, also, true)
  }
  const traded = (pool && toTradedPool(at, shape, pool, graduated.address, nowSeconds)) ?? 'NOT_PRICED'
  return { slot, shape, market: { buckets, nowSeconds, pool: traded }, pool, others }
}

/** Where the pool of a bucket will be, once the launch has graduated. */
const poolAccounts = (environment: RaydiumEnvironment, { base, quote }: LaunchShape, bucket: Address) => {
  const state = poolStateAddress(bucket)
  return {
    state,
    base: poolVaultAddress(environment, state, base.mint),
    quote: poolVaultAddress(environment, state, quote.mint),
  }
}

const UNIX_TIME = 32

/** Without the clock account, this machine's clock is used: chains are seldom more than a second behind it. */
function readClock(account: ChainAccount): number {
  if (!account.exists || account.data.length < UNIX_TIME + 8) return Math.floor(Date.now() / 1_000)
  const { buffer, byteOffset } = account.data
  return Number(new DataView(buffer, byteOffset).getBigInt64(UNIX_TIME, true))
}

/** The pool at the address that is derived from its bucket. A bucket that names another pool is not trusted. */
function decodePool(
  at: (address: Address) => ChainAccount,
  environment: RaydiumEnvironment,
  bucket: DecodedBucket,
): FoundPool | undefined {
  const address = poolStateAddress(bucket.address)
  const pool = decodeProgramAccount(at(address), [RAYDIUM_PROGRAMS[environment]], ({ data }) =>
    decodePoolData(data),
  )
  if (!pool.exists || !pool.ammConfig) return undefined
  const { exists: _, ...rest } = pool
  return { ...rest, environment, config: pool.ammConfig }
}

function toTradedPool(
  at: (address: Address) => ChainAccount,
  shape: LaunchShape,
  pool: FoundPool,
  bucket: Address,
  nowSeconds: number,
) {
  const { environment, config: configAddress } = pool
  const [baseMint, quoteMint] = [shape.base.mint, shape.quote.mint]
  const accounts = poolAccounts(environment, shape, bucket)
  const config = decodeProgramAccount(at(configAddress), [RAYDIUM_PROGRAMS[environment]], ({ data }) =>
    decodePoolConfig(data),
  )
  const base = decodeTokenAccount(at(accounts.base))
  const quote = decodeTokenAccount(at(accounts.quote))
  if (!config.exists || !base.exists || !quote.exists) return undefined
  if (base.mint !== baseMint || quote.mint !== quoteMint) return undefined
  const vaults = { base: base.amount, quote: quote.amount }
  return tradedPool(
    { environment, address: pool.address, pool, config, vaults, baseMint, quoteMint },
    nowSeconds,
  )
}
