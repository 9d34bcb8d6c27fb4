import {
  bucketAddress,
  bucketSignerAddress,
  genesisAddress,
  poolStateAddress,
} from '@slipway/launch-model/addresses'
import type { Address } from '@solana/kit'

/** The mechanics of the demo's launches. */
export type Mechanic = 'launchpoolV2' | 'presaleV2' | 'bondingCurveV2'

export type LaunchAddresses = {
  readonly genesis: Address
  readonly primary: Address
  readonly amm: Address
  readonly ammSigner: Address
  readonly pool: Address
}

/** Indexes count per kind of bucket, so every first bucket has this one. */
export const BUCKET_INDEX = 0

export function launchAddresses(mint: Address, mechanic: Mechanic): LaunchAddresses {
  const genesis = genesisAddress(mint)
  const amm = bucketAddress('raydiumCpmmV2', genesis, BUCKET_INDEX)
  return {
    genesis,
    primary: bucketAddress(mechanic, genesis, BUCKET_INDEX),
    amm,
    ammSigner: bucketSignerAddress(amm),
    pool: poolStateAddress(amm),
  }
}
