import type { Address } from '@slipway/schema/address'
import type { PoolState } from '../chain/accounts/pool-state.ts'
import type { PayingKind } from '../store/wallet-buckets.ts'

/** A bucket that pays a wallet, as the chain had it in the very call. */
export interface Reward {
  address: Address
  kind: PayingKind
  genesis: Address
  baseMint: Address
  quoteMint: Address
  accrued: bigint
  claimed: bigint
  uncollected: bigint
  claimable: bigint
  /** What a launch has graduated into; AMM buckets only. */
  pool?: PoolState | undefined
}

/** The largest first; equal ones in an order that is the same for every node and call. */
export function compareRewards(a: Reward, b: Reward): number {
  if (a.claimable !== b.claimable) return a.claimable > b.claimable ? -1 : 1
  return a.address < b.address ? -1 : 1
}
