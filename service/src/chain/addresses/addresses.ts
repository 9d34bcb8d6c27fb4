import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '../accounts/bucket-layouts.ts'
import { officialClients } from '../official-clients.ts'
import { learnFinder, MARKS } from './learn-finder.ts'
import { RAYDIUM_PROGRAMS, type RaydiumEnvironment } from './programs.ts'

const { core, identity, tokenMetadata, toolbox, genesis } = officialClients

/** The wallet of an agent: what Core signs for when the asset's owner has it do something. */
export const assetSignerAddress = learnFinder([MARKS.first], (umi, asset) =>
  core().findAssetSignerPda(umi as never, { asset: asset as never }),
)

/** Where an asset's identity is, of either version. */
export const identityAddress = learnFinder([MARKS.first], (umi, asset) =>
  identity().findAgentIdentityV2Pda(umi as never, { asset: asset as never }),
)

export const tokenMetadataAddress = learnFinder([MARKS.first], (umi, mint) =>
  tokenMetadata().findMetadataPda(umi as never, { mint: mint as never }),
)

export const associatedTokenAddress = learnFinder(
  [MARKS.first, MARKS.second, MARKS.third],
  (umi, mint, owner, tokenProgramId) =>
    toolbox().findAssociatedTokenPda(umi as never, { mint, owner, tokenProgramId } as never),
)

export const genesisAddress = learnFinder([MARKS.first, MARKS.twoBytes], (umi, baseMint, genesisIndex) =>
  genesis().findGenesisAccountV2Pda(umi as never, { baseMint: baseMint as never, genesisIndex }),
)

/** Each kind counts its buckets from 0. */
export const bucketAddress = (kind: BucketKind, genesisAccount: Address, bucketIndex: number): Address =>
  bucketFinders[kind](genesisAccount, bucketIndex)

const bucketFinders: Record<BucketKind, (genesisAccount: Address, bucketIndex: number) => Address> = {
  launchpoolV2: learnBucketFinder(() => genesis().findLaunchPoolBucketV2Pda),
  presaleV2: learnBucketFinder(() => genesis().findPresaleBucketV2Pda),
  bondingCurveV2: learnBucketFinder(() => genesis().findBondingCurveBucketV2Pda),
  raydiumCpmmV2: learnBucketFinder(() => genesis().findRaydiumCpmmBucketV2Pda),
}

function learnBucketFinder(find: () => (umi: never, seeds: never) => unknown) {
  return learnFinder([MARKS.first, MARKS.byte], (umi, genesisAccount, bucketIndex) =>
    find()(umi as never, { genesisAccount, bucketIndex } as never),
  )
}

/** Every address at which a launch can have a bucket: its account tells how many there are, but not of which kind. */
export function bucketCandidates(genesisAccount: Address, bucketCount: number): Address[] {
  const kinds = Object.keys(bucketFinders) as BucketKind[]
  const indexes = Array.from({ length: Math.min(bucketCount, BUCKETS_MAX) }, (_, index) => index)
  return kinds.flatMap(kind => indexes.map(index => bucketAddress(kind, genesisAccount, index)))
}
/** Buckets are numbered in one byte. */
const BUCKETS_MAX = 256

/** What holds the creator's fees of an AMM bucket. */
export const bucketSignerAddress = learnFinder([MARKS.first], (umi, bucket) =>
  genesis().findRaydiumBucketSignerPda(umi as never, { bucket: bucket as never }),
)

/** Who created all the pools. */
export const raydiumSignerAddress = learnFinder([], umi => genesis().findRaydiumSignerPda(umi as never))

/** The pool that an AMM bucket graduated into. */
export const poolStateAddress = learnFinder([MARKS.first], (umi, bucket) =>
  genesis().findGenesisPoolStatePda(umi as never, bucket as never),
)

export const poolAuthorityAddress = (environment: RaydiumEnvironment): Address =>
  pools[environment].authority()

export const poolVaultAddress = (
  environment: RaydiumEnvironment,
  poolState: Address,
  mint: Address,
): Address => pools[environment].vault(poolState, mint)

const pools = { mainnet: learnPools('mainnet'), devnet: learnPools('devnet') }

function learnPools(environment: RaydiumEnvironment) {
  const program = RAYDIUM_PROGRAMS[environment] as never
  return {
    authority: learnFinder([], umi => genesis().findAuthorityPda(umi as never, program)),
    vault: learnFinder([MARKS.first, MARKS.second], (umi, poolState, mint) =>
      genesis().findTokenVaultPda(umi as never, program, poolState as never, mint as never),
    ),
  }
}
