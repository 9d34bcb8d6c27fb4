import { addressBytes, addressAt as readAddress } from '@slipway/launch-model/bytes/base58'
import type { Address } from '@solana/kit'
import { memoize } from '../memoize.ts'

/** The address at `offset`. Kit's decoder does the same, but takes ten times as long. */
export const addressAt = (bytes: Uint8Array, offset = 0): Address =>
  readAddress(bytes, offset) as string as Address

/** The bytes of an address. They are cached, so callers must not change them. */
export const bytesOf: (address: Address) => Uint8Array = memoize(10_000, addressBytes)
