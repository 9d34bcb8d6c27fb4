import {
  bucketAddress,
  bucketSignerAddress,
  genesisAddress,
  poolStateAddress,
} from '@slipway/launch-model/addresses'
import type { PrimaryPlan } from '@slipway/launch-model/plan/launch-plan'
import type { Address } from '@solana/kit'

/** The kinds of bucket that sell the tokens of the demo's launches. */
export type SaleKind = PrimaryPlan['kind']

export type LaunchAddresses = {
  readonly genesis: Address
  readonly primary: Address
  readonly amm: Address
  readonly ammSigner: Address
  readonly pool: Address
}

/** Indexes count per kind of bucket, so every first bucket has the index 0. */
export function launchAddresses(mint: Address, mechanic: SaleKind): LaunchAddresses {
  const genesis = genesisAddress(mint)
  const amm = bucketAddress('raydiumCpmmV2', genesis, 0)
  return {
    genesis,
    primary: bucketAddress(mechanic, genesis, 0),
    amm,
    ammSigner: bucketSignerAddress(amm),
    pool: poolStateAddress(amm),
  }
}
