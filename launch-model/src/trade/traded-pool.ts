import type { Address } from '@slipway/schema/address'
import type { Refusal } from '../actions.ts'
import { poolVaultAddress } from '../addresses.ts'
import { type PoolAccount, type PoolConfig, sidesOf } from '../pool-state.ts'
import type { RaydiumEnvironment } from '../programs.ts'
import type { PoolRates, TradedPool } from './pool.ts'

/** The accounts of a pool on the chain. */
export interface PoolParts {
  environment: RaydiumEnvironment
  address: Address
  pool: PoolAccount
  config: PoolConfig
  /** The balance of each vault. */
  vaults: { base: bigint; quote: bigint }
  baseMint: Address
  quoteMint: Address
}

/** Bits of the status: deposits, withdrawals, swaps. */
const SWAPS_DISABLED = 4

/**
 * The parts of a pool that its price depends on, or why it can't be traded in. Every account that the pool names is
 * checked: funds must go only to vaults that the pool program controls.
 */
export function tradedPool(parts: PoolParts, nowSeconds: number): TradedPool | Refusal {
  const { environment, address, pool, config, vaults, baseMint, quoteMint } = parts
  const sides = sidesOf(pool, { baseMint, quoteMint })
  if (!sides || !pool.observation) return 'NOT_PRICED'
  const named = [pool.vault0, pool.vault1] as const
  const vaultOf = (mint: Address) => poolVaultAddress(environment, address, mint)
  if (named[sides.base] !== vaultOf(baseMint) || named[sides.quote] !== vaultOf(quoteMint))
    return 'NOT_PRICED'
  if ((pool.status & SWAPS_DISABLED) !== 0) return 'TRADING_PAUSED'
  if (pool.openTime > BigInt(nowSeconds)) return 'TRADING_NOT_STARTED'
  const fees = [
    pool.protocolFees0 + pool.fundFees0 + pool.creatorFees0,
    pool.protocolFees1 + pool.fundFees1 + pool.creatorFees1,
  ] as const
  const reserves = { base: vaults.base - fees[sides.base], quote: vaults.quote - fees[sides.quote] }
  if (reserves.base <= 0n || reserves.quote <= 0n) return 'NOT_PRICED'
  return { reserves, ...poolRates(pool, config, sides.base) }
}

/** The fees of a pool, of which `base` is the launch's own token. */
export const poolRates = (
  pool: Pick<PoolAccount, 'hasCreatorFee' | 'creatorFeeOn'>,
  config: PoolConfig,
  base: 0 | 1,
): PoolRates => ({
  tradeFeeRate: config.tradeFeeRate,
  protocolFeeRate: config.protocolFeeRate,
  fundFeeRate: config.fundFeeRate,
  creatorFeeRate: pool.hasCreatorFee ? config.creatorFeeRate : 0n,
  creatorFeeIn: CREATOR_FEE_IN[pool.creatorFeeOn]?.(base) ?? 'input',
})

/** 0: always in what is paid; 1: in token 0; 2: in token 1. */
const CREATOR_FEE_IN: Record<number, (base: 0 | 1) => TradedPool['creatorFeeIn']> = {
  0: () => 'input',
  1: base => (base === 0 ? 'base' : 'quote'),
  2: base => (base === 1 ? 'base' : 'quote'),
}
