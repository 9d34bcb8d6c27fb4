import {
  deriveRaydiumPDAsV2,
  findBondingCurveBucketV2Pda,
  findGenesisAccountV2Pda,
  findLaunchPoolBucketV2Pda,
  findPresaleBucketV2Pda,
  findRaydiumBucketSignerPda,
  findRaydiumCpmmBucketV2Pda,
  findUnlockedBucketV2Pda,
  GENESIS_PROGRAM_ID,
  NATIVE_SOL_MINT,
  RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET,
  RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET,
} from '@metaplex-foundation/genesis'
import {
  findAgentIdentityV1Pda,
  findAgentIdentityV2Pda,
  findExecutionDelegateRecordV1Pda,
  findExecutiveProfileV1Pda,
  MPL_AGENT_IDENTITY_PROGRAM_ID,
  MPL_AGENT_TOOLS_PROGRAM_ID,
} from '@metaplex-foundation/mpl-agent-registry'
import { findAssetSignerPda, MPL_CORE_PROGRAM_ID } from '@metaplex-foundation/mpl-core'
import { findMetadataPda, MPL_TOKEN_METADATA_PROGRAM_ID } from '@metaplex-foundation/mpl-token-metadata'
import {
  findAssociatedTokenPda,
  mplToolbox,
  SPL_ASSOCIATED_TOKEN_PROGRAM_ID,
  SPL_SYSTEM_PROGRAM_ID,
  SPL_TOKEN_PROGRAM_ID,
} from '@metaplex-foundation/mpl-toolbox'
import { createUmi } from '@metaplex-foundation/umi-bundle-defaults'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as ours from './addresses.ts'
import { LISTED_KINDS } from './kinds/kinds.ts'
import * as programs from './programs.ts'
import { anyAddress } from './testing/samples.ts'

const umi = createUmi('http://127.0.0.1:1').use(mplToolbox())
const first = (pda: unknown) => (pda as [string])[0]
const RUNS = { numRuns: 60 }

test('the fixed addresses are those of the official clients', () => {
  expect(programs).toMatchObject({
    CORE_PROGRAM: MPL_CORE_PROGRAM_ID,
    IDENTITY_PROGRAM: MPL_AGENT_IDENTITY_PROGRAM_ID,
    AGENT_TOOLS_PROGRAM: MPL_AGENT_TOOLS_PROGRAM_ID,
    GENESIS_PROGRAM: GENESIS_PROGRAM_ID,
    TOKEN_METADATA_PROGRAM: MPL_TOKEN_METADATA_PROGRAM_ID,
    TOKEN_PROGRAM: SPL_TOKEN_PROGRAM_ID,
    ASSOCIATED_TOKEN_PROGRAM: SPL_ASSOCIATED_TOKEN_PROGRAM_ID,
    SYSTEM_PROGRAM: SPL_SYSTEM_PROGRAM_ID,
    WRAPPED_NATIVE_MINT: NATIVE_SOL_MINT,
    RAYDIUM_PROGRAMS: {
      mainnet: RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET,
      devnet: RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET,
    },
    RAYDIUM_CREATOR_FEE_CONFIGS: {
      mainnet: RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET,
      devnet: RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET,
    },
  })
})

test('the addresses of an agent are those of the official clients', () => {
  fc.assert(
    fc.property(anyAddress, key => {
      const asset = key as never
      expect(ours.assetSignerAddress(key)).toBe(first(findAssetSignerPda(umi, { asset })))
      expect(ours.identityAddress(key)).toBe(first(findAgentIdentityV2Pda(umi, { asset })))
      expect(ours.identityAddress(key)).toBe(first(findAgentIdentityV1Pda(umi, { asset })))
      const profile = ours.executiveProfileAddress(key)
      expect(profile).toBe(first(findExecutiveProfileV1Pda(umi, { authority: asset })))
      expect(ours.delegateRecordAddress(profile, key)).toBe(
        first(
          findExecutionDelegateRecordV1Pda(umi, { executiveProfile: profile as never, agentAsset: asset }),
        ),
      )
    }),
    RUNS,
  )
})

test('the addresses of a token are those of the official clients', () => {
  fc.assert(
    fc.property(
      anyAddress,
      anyAddress,
      fc.constantFrom(programs.TOKEN_PROGRAM, programs.TOKEN_2022_PROGRAM),
      (mint, owner, program) => {
        expect(ours.tokenMetadataAddress(mint)).toBe(first(findMetadataPda(umi, { mint: mint as never })))
        expect(ours.associatedTokenAddress(mint, owner, program)).toBe(
          first(findAssociatedTokenPda(umi, { mint, owner, tokenProgramId: program } as never)),
        )
      },
    ),
    RUNS,
  )
})

test('the addresses of buckets of any index are those of the official clients', () => {
  fc.assert(
    fc.property(anyAddress, fc.nat(255), (key, bucketIndex) => {
      const seeds = { genesisAccount: key as never, bucketIndex }
      expect(ours.bucketAddress('launchpoolV2', key, bucketIndex)).toBe(
        first(findLaunchPoolBucketV2Pda(umi, seeds)),
      )
      expect(ours.bucketAddress('presaleV2', key, bucketIndex)).toBe(
        first(findPresaleBucketV2Pda(umi, seeds)),
      )
      expect(ours.bucketAddress('bondingCurveV2', key, bucketIndex)).toBe(
        first(findBondingCurveBucketV2Pda(umi, seeds)),
      )
      expect(ours.bucketAddress('raydiumCpmmV2', key, bucketIndex)).toBe(
        first(findRaydiumCpmmBucketV2Pda(umi, seeds)),
      )
      expect(ours.bucketAddress('unlockedV2', key, bucketIndex)).toBe(
        first(findUnlockedBucketV2Pda(umi, seeds)),
      )
      expect(ours.genesisAddress(key)).toBe(
        first(findGenesisAccountV2Pda(umi, { baseMint: key as never, genesisIndex: 0 })),
      )
    }),
    RUNS,
  )
})

test('the addresses of a pool are those of the official clients on both networks', () => {
  fc.assert(
    fc.property(
      anyAddress,
      anyAddress,
      anyAddress,
      fc.constantFrom('mainnet', 'devnet'),
      (bucket, baseMint, quoteMint, env) => {
        fc.pre(baseMint !== quoteMint)
        const expected = deriveRaydiumPDAsV2(umi, baseMint as never, bucket as never, {
          quoteMint: quoteMint as never,
          env,
        })
        const pool = ours.poolStateAddress(bucket)
        expect([
          pool,
          ours.poolAuthorityAddress(env),
          ours.poolVaultAddress(env, pool, baseMint),
          ours.poolVaultAddress(env, pool, quoteMint),
          ours.raydiumSignerAddress(),
          ours.bucketSignerAddress(bucket),
        ]).toEqual([
          expected.poolState,
          expected.poolAuthority,
          expected.baseVault,
          expected.quoteVault,
          expected.raydiumSigner,
          first(findRaydiumBucketSignerPda(umi, { bucket: bucket as never })),
        ])
      },
    ),
    RUNS,
  )
})

test('a launch with three buckets can have them at three addresses of each kind', () => {
  const [genesis] = fc.sample(anyAddress, 1)
  if (!genesis) throw new Error('no sample')
  const candidates = ours.bucketCandidates(genesis, 3)
  expect(new Set(candidates).size).toBe(3 * LISTED_KINDS.length)
  expect(candidates).toContain(ours.bucketAddress('presaleV2', genesis, 2))
  expect(ours.bucketCandidates(genesis, 0)).toEqual([])
})

test('other seeds have addresses of their own', () => {
  const [one, two] = fc.sample(anyAddress, 2) as [Address, Address]
  const address = ours.bucketAddress('presaleV2', one, 1)
  expect(ours.bucketAddress('presaleV2', one, 2)).not.toBe(address)
  expect(ours.bucketAddress('presaleV2', two, 1)).not.toBe(address)
  expect(ours.bucketAddress('launchpoolV2', one, 1)).not.toBe(address)
  expect(ours.bucketAddress('presaleV2', one, 1)).toBe(address)
})

test('an address that was derived before is found much faster', () => {
  const seeds = fc.sample(anyAddress, 500) as Address[]
  const timeAll = () => {
    const startMs = performance.now()
    for (const seed of seeds) ours.bucketAddress('presaleV2', seed, 1)
    return performance.now() - startMs
  }
  const firstMs = timeAll()
  // Other programs can interrupt one run, but hardly all of them.
  expect(Math.min(...Array.from({ length: 10 }, timeAll))).toBeLessThan(firstMs / 3)
})
