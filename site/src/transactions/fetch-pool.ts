import type { Network } from '@slipway/client'
import { poolStateAddress, poolVaultAddress } from '@slipway/launch-model/addresses'
import type { SwappedPool } from '@slipway/launch-model/calls/trades'
import { NETWORK_TABLE } from '@slipway/launch-model/networks'
import { decodePoolConfig, decodePoolData } from '@slipway/launch-model/pool-state'
import {
  type Address,
  RAYDIUM_PROGRAMS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'
import { amountIn } from '@slipway/launch-model/token-account'
import type { Market } from '@slipway/launch-model/trade/market'
import { tradedPool } from '@slipway/launch-model/trade/traded-pool'
import { fetchAccounts } from '../lib/rpc.ts'

export interface Place {
  rpcUrl: string
  network: Network
  signal: AbortSignal
}

/** A pool, as prices are computed from it and as swaps name it. */
export interface ReadPool {
  traded: Market['pool']
  named: SwappedPool
}

/** The pool that a launch has become, from the bucket that did. Undefined if it can't be read. */
export async function fetchPool(
  { rpcUrl, network, signal }: Place,
  { baseMint, quoteMint }: { baseMint: Address; quoteMint: Address },
  bucket: Address,
): Promise<ReadPool | undefined> {
  const environment = NETWORK_TABLE[network].cluster
  const raydium = RAYDIUM_PROGRAMS[environment]
  const address = poolStateAddress(bucket)
  const vaults = [baseMint, quoteMint].map(mint => poolVaultAddress(environment, address, mint))
  const programs = [raydium, TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
  const [state, base, quote] = await fetchAccounts(rpcUrl, [address, ...vaults], signal, programs)
  const pool = state && decodePoolData(state)
  if (typeof pool !== 'object' || !pool.ammConfig || !base || !quote) return undefined
  const [rates] = await fetchAccounts(rpcUrl, [pool.ammConfig], signal, [raydium])
  const config = rates && decodePoolConfig(rates)
  if (typeof config !== 'object') return undefined
  const held = { base: amountIn(base), quote: amountIn(quote) }
  const parts = { environment, address, pool, config, vaults: held, baseMint, quoteMint }
  return {
    // Whether the pool is open yet is not asked here: the clock of this machine may be wrong.
    traded: tradedPool(parts, Number.MAX_SAFE_INTEGER),
    named: { ...pool, address, environment, config: pool.ammConfig },
  }
}
