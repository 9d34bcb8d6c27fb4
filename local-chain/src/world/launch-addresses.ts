import {
  findBondingCurveBucketV2Pda,
  findGenesisAccountV2Pda,
  findGenesisPoolStatePda,
  findLaunchPoolBucketV2Pda,
  findPresaleBucketV2Pda,
  findRaydiumBucketSignerPda,
  findRaydiumCpmmBucketV2Pda,
} from '@metaplex-foundation/genesis'
import type { PublicKey } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { asKey } from '../programs/genesis/checks.ts'
import { umi } from '../programs/umi-context.ts'

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

export const PRIMARY_FINDERS = {
  launchpoolV2: findLaunchPoolBucketV2Pda,
  presaleV2: findPresaleBucketV2Pda,
  bondingCurveV2: findBondingCurveBucketV2Pda,
}

const plain = (key: PublicKey): Address => key as string as Address

/** Cached, because deriving addresses takes longer than everything else about a launch. */
const derived = new Map<string, LaunchAddresses>()

export function launchAddresses(mint: Address, mechanic: Mechanic): LaunchAddresses {
  const known = derived.get(`${mint}:${mechanic}`) ?? deriveAddresses(mint, mechanic)
  derived.set(`${mint}:${mechanic}`, known)
  return known
}

function deriveAddresses(mint: Address, mechanic: Mechanic): LaunchAddresses {
  const [genesis] = findGenesisAccountV2Pda(umi, { baseMint: asKey(mint), genesisIndex: 0 })
  const seeds = { genesisAccount: genesis, bucketIndex: BUCKET_INDEX }
  const [amm] = findRaydiumCpmmBucketV2Pda(umi, { genesisAccount: genesis, bucketIndex: BUCKET_INDEX })
  return {
    genesis: plain(genesis),
    primary: plain(PRIMARY_FINDERS[mechanic](umi, seeds)[0]),
    amm: plain(amm),
    ammSigner: plain(findRaydiumBucketSignerPda(umi, { bucket: amm })[0]),
    pool: plain(findGenesisPoolStatePda(umi, amm)[0]),
  }
}
