import { poolStateAddress } from '@slipway/launch-model/addresses'
import type { HistoricPool } from '@slipway/launch-model/history/decode-trades'
import { becomesPool } from '@slipway/launch-model/kinds/kinds'
import { decodePoolConfig, decodePoolData } from '@slipway/launch-model/pool-state'
import { RAYDIUM_PROGRAMS } from '@slipway/launch-model/programs'
import { poolRates } from '@slipway/launch-model/trade/traded-pool'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import type { AccountReader } from '../../chain/account-reader.ts'
import { createLru } from '../../lib/create-lru.ts'
import type { KnownBucket } from '../../store/buckets.ts'
import type { RpcBudget } from './rpc-budget.ts'

export interface LaunchPools {
  /** The pools that a launch with these buckets has graduated into. */
  of(buckets: readonly KnownBucket[]): Promise<HistoricPool[]>
}

/** Whether a bucket has graduated into a pool. */
export const isPool = ({ kind, graduatedAt }: KnownBucket): boolean => !!graduatedAt && becomesPool(kind)

/** Each pool is read once, because the fields that are needed never change. */
const CACHED_MAX = 5_000

export function createLaunchPools({
  network,
  rpc,
  budget,
}: {
  network: Network
  rpc: AccountReader
  budget: RpcBudget
}): LaunchPools {
  const program = RAYDIUM_PROGRAMS[NETWORK_TABLE[network].cluster]
  const known = createLru<Address, HistoricPool>(CACHED_MAX)

  async function fetchAccount(address: Address): Promise<Uint8Array | undefined> {
    await budget.take()
    const { accounts } = await rpc.fetchAccounts([address])
    const [account] = accounts
    return account?.exists && account.owner === program ? account.data : undefined
  }

  async function fetchPool(address: Address, baseMint: Address): Promise<HistoricPool | undefined> {
    const state = await fetchAccount(address)
    const pool = state && decodePoolData(state)
    if (typeof pool !== 'object' || !pool.ammConfig) return undefined
    const data = await fetchAccount(pool.ammConfig)
    const config = data && decodePoolConfig(data)
    if (typeof config !== 'object') return undefined
    return { address, program, rates: poolRates(pool, config, pool.mint0 === baseMint ? 0 : 1) }
  }

  return {
    async of(buckets) {
      const pools: HistoricPool[] = []
      for (const { address: bucket, mint } of buckets.filter(isPool)) {
        const address = poolStateAddress(bucket)
        const pool = known.get(address) ?? (await fetchPool(address, mint))
        if (!pool) continue
        known.set(address, pool)
        pools.push(pool)
      }
      return pools
    },
  }
}
