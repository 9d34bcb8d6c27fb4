import { type Address, isAddress } from '@solana/addresses'
import { z } from 'zod'

export type { Address }

export { isAddress }

/** The characters of an address. A match may still be shorter or longer than 32 bytes. */
const ADDRESS_PATTERN = '^[1-9A-HJ-NP-Za-km-z]{32,44}$'

/** Base58 of exactly 32 bytes. */
export const AddressString = z
  .custom<Address>(value => typeof value === 'string' && isAddress(value), {
    error: 'must be base58 of exactly 32 bytes',
  })
  .meta({
    type: 'string',
    description: 'An address on the chain: base58 of exactly 32 bytes.',
    pattern: ADDRESS_PATTERN,
  })

/** An address with its meaning and an example, for the API reference. */
export const describedAddress = (description: string, example: string) =>
  AddressString.meta({ description, examples: [example] })
