import type { Address } from '@slipway/schema/address'
import {
  bool,
  constant,
  type Decoded,
  decode,
  encode,
  reserved,
  struct,
  u8,
  u16,
  u64,
} from './bytes/codec.ts'
import { optionalAddress } from './kinds/bucket-parts.ts'

const discriminator = constant([247, 237, 227, 245, 215, 195, 222, 70])

/** A Raydium constant-product pool. None of the official packages has a serializer for it. */
export const poolLayout = struct({
  _discriminator: discriminator,
  ammConfig: optionalAddress,
  creator: optionalAddress,
  vault0: optionalAddress,
  vault1: optionalAddress,
  lpMint: optionalAddress,
  mint0: optionalAddress,
  mint1: optionalAddress,
  tokenProgram0: optionalAddress,
  tokenProgram1: optionalAddress,
  observation: optionalAddress,
  authorityBump: u8,
  status: u8,
  lpDecimals: u8,
  decimals0: u8,
  decimals1: u8,
  lpSupply: u64,
  protocolFees0: u64,
  protocolFees1: u64,
  fundFees0: u64,
  fundFees1: u64,
  openTime: u64,
  recentEpoch: u64,
  /** 0: the creator's fee is always taken from what is paid; 1: it is taken in token 0; 2: in token 1. */
  creatorFeeOn: u8,
  hasCreatorFee: bool,
  _padding: reserved(6),
  creatorFees0: u64,
  creatorFees1: u64,
  _end: reserved(224),
})
export type PoolAccount = Decoded<typeof poolLayout>

/** Which of a pool's two tokens is the launch's own. Undefined if the pool has other tokens. */
export function sidesOf(
  { mint0, mint1 }: Pick<PoolAccount, 'mint0' | 'mint1'>,
  { baseMint, quoteMint }: { baseMint: Address; quoteMint: Address },
): { base: 0 | 1; quote: 0 | 1 } | undefined {
  if (mint0 === baseMint && mint1 === quoteMint) return { base: 0, quote: 1 }
  return mint0 === quoteMint && mint1 === baseMint ? { base: 1, quote: 0 } : undefined
}

/** A pool of two tokens, with nothing in it. */
export const emptyPool = (mint0: Address, mint1: Address): Uint8Array => {
  const zeros = new Uint8Array(poolLayout.size as number)
  zeros.set(encode(discriminator, undefined))
  return encode(poolLayout, { ...decode(poolLayout, zeros), mint0, mint1 })
}

export function decodePoolData(data: Uint8Array): PoolAccount | 'other-kind' | 'malformed' {
  if (data.length === 0) return 'malformed'
  try {
    decode(discriminator, data)
  } catch {
    return 'other-kind'
  }
  return data.length < (poolLayout.size as number) ? 'malformed' : decode(poolLayout, data)
}

const configDiscriminator = constant([218, 244, 33, 104, 203, 203, 43, 111])

/** The rates of a pool's configuration, in millionths. */
export const poolConfigLayout = struct({
  _discriminator: configDiscriminator,
  bump: u8,
  isClosedForPools: bool,
  index: u16,
  tradeFeeRate: u64,
  protocolFeeRate: u64,
  fundFeeRate: u64,
  createPoolFee: u64,
  protocolOwner: optionalAddress,
  fundOwner: optionalAddress,
  creatorFeeRate: u64,
  _end: reserved(120),
})
export type PoolConfig = Decoded<typeof poolConfigLayout>

export function decodePoolConfig(data: Uint8Array): PoolConfig | 'other-kind' | 'malformed' {
  if (data.length < (poolConfigLayout.size as number)) return 'malformed'
  try {
    return decode(poolConfigLayout, data)
  } catch {
    return 'other-kind'
  }
}
