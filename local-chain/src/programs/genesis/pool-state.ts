import { findAuthorityPda, type RaydiumPoolAccountsV2 } from '@metaplex-foundation/genesis'
import { decode, encode } from '@slipway/launch-model/bytes/codec'
import { decodePoolData, emptyPool, poolLayout, sidesOf } from '@slipway/launch-model/pool-state'
import type { Address } from '@solana/kit'
import { umi } from '../umi-context.ts'

/** The creator fees that the pool holds in both tokens; `undefined` if the data is not a pool of these mints. */
export function decodePool(
  data: Uint8Array,
  baseMint: string,
  quoteMint: string,
): { base: bigint; quote: bigint } | undefined {
  const pool = decodePoolData(data)
  if (typeof pool === 'string') return undefined
  const sides = sidesOf(pool, { baseMint: baseMint as Address, quoteMint: quoteMint as Address })
  const fees = [pool.creatorFees0, pool.creatorFees1] as const
  return sides && { base: fees[sides.base], quote: fees[sides.quote] }
}

export const encodePoolFees = (data: Uint8Array, creatorFees0: bigint, creatorFees1: bigint): Uint8Array =>
  encode(poolLayout, { ...decode(poolLayout, data), creatorFees0, creatorFees1 })

/** A pool that was just created, with the accounts that the official client derives for it. */
export function newPool(
  keys: Pick<
    RaydiumPoolAccountsV2,
    | 'ammConfig'
    | 'raydiumSigner'
    | 'baseVault'
    | 'quoteVault'
    | 'lpMint'
    | 'token0Mint'
    | 'token1Mint'
    | 'observationState'
    | 'isProjectMintToken0'
    | 'raydiumProgram'
  >,
  {
    decimals,
    tokenPrograms,
    lpSupply,
    openTime,
    hasCreatorFee,
  }: {
    decimals: { base: number; quote: number }
    tokenPrograms: { base: Address; quote: Address }
    lpSupply: bigint
    openTime: bigint
    hasCreatorFee: boolean
  },
): Uint8Array {
  const isBase0 = keys.isProjectMintToken0
  const at = (key: string) => key as Address
  const inOrder = <T>(base: T, quote: T): [T, T] => (isBase0 ? [base, quote] : [quote, base])
  const [vault0, vault1] = inOrder(at(keys.baseVault), at(keys.quoteVault))
  const [decimals0, decimals1] = inOrder(decimals.base, decimals.quote)
  const [tokenProgram0, tokenProgram1] = inOrder(tokenPrograms.base, tokenPrograms.quote)
  const blank = decode(poolLayout, blankPool(keys.token0Mint, keys.token1Mint))
  return encode(poolLayout, {
    ...blank,
    authorityBump: findAuthorityPda(umi, keys.raydiumProgram)[1],
    ammConfig: at(keys.ammConfig),
    creator: at(keys.raydiumSigner),
    vault0,
    vault1,
    lpMint: at(keys.lpMint),
    tokenProgram0,
    tokenProgram1,
    observation: at(keys.observationState),
    decimals0,
    decimals1,
    lpDecimals: LP_DECIMALS,
    lpSupply,
    openTime,
    // The creator is paid in quote tokens.
    creatorFeeOn: isBase0 ? 2 : 1,
    hasCreatorFee,
  })
}
const LP_DECIMALS = 9

/** A pool that contains only its mints. */
export const blankPool = (mint0: string, mint1: string): Uint8Array =>
  emptyPool(mint0 as Address, mint1 as Address)
