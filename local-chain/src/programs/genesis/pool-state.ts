import { decode, encode } from '@slipway/launch-model/bytes/codec'
import { decodePoolData, emptyPool, poolLayout, sidesOf } from '@slipway/launch-model/pool-state'
import type { Address } from '@solana/kit'

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

/** A pool that contains only its mints. */
export const blankPool = (mint0: string, mint1: string): Uint8Array =>
  emptyPool(mint0 as Address, mint1 as Address)
