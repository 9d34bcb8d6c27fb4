import { type CreatorFee, FeeDiscriminants } from '@metaplex-foundation/genesis'
import type { Address } from '@solana/kit'
import { asKey } from '../programs/genesis/checks.ts'
import { CREATOR_FEE_BPS } from '../programs/genesis/launch/creator-fee.ts'

/** The amount that a curve of the demo takes in until it is sold out. */
const RAISES_LAMPORTS = 85_000_000_000n

/** A curve that sells four fifths of the supply, and ends at the price at which a pool with the last fifth starts. */
export const curveParameters = (supply: bigint) => ({
  virtualSol: RAISES_LAMPORTS / 3n,
  virtualTokens: (supply * 4n) / 15n,
})

/** The price of all tokens on the curve, without fees. */
export function curveCost(supply: bigint): bigint {
  const { virtualSol, virtualTokens } = curveParameters(supply)
  const product = virtualSol * (virtualTokens + (supply * 4n) / 5n)
  return (product + virtualTokens - 1n) / virtualTokens - virtualSol
}

/** The tokens left on the curve after it has taken in these deposits. */
export function unsoldOnCurve(supply: bigint, depositedLamports: bigint): bigint {
  const { virtualSol, virtualTokens } = curveParameters(supply)
  const product = virtualSol * (virtualTokens + (supply * 4n) / 5n)
  const left = product / (virtualSol + depositedLamports) - virtualTokens
  return left > 0n ? left : 0n
}

export const creatorFee = (wallet: Address | undefined): CreatorFee | null =>
  wallet === undefined
    ? null
    : {
        wallet: asKey(wallet),
        feeType: FeeDiscriminants.BasisPoints,
        padding: Array(7).fill(0),
        fee: CREATOR_FEE_BPS,
      }
