import { getBase58Encoder } from '@solana/codecs-strings'
import { z } from 'zod'
import { type Address, AddressString } from './address.ts'
import { EXAMPLE_ADDRESSES } from './example-addresses.ts'
import type { Network } from './network.ts'

/** What an owner can change with a signature. The value is the first line that the wallet shows. */
export type OwnerChangePurpose = 'replace agent card' | 'remove agent card' | 'change launch links'

export interface OwnerChange {
  purpose: OwnerChangePurpose
  /** The public URL of the service, without a trailing slash. */
  deployment: string
  network: Network
  address: Address
  /** In hex, of the RFC 8785 form of the new value. A removal has none. */
  sha256?: string
  issuedAt: string
  nonce: string
}

/**
 * The text that the owner signs, as UTF-8. No value can contain a line break, so two changes never have the same
 * text.
 */
export function buildOwnerChangeText(change: OwnerChange): string {
  return [
    `Slipway: ${change.purpose}`,
    `deployment: ${change.deployment}`,
    `network: ${change.network}`,
    `address: ${change.address}`,
    ...(change.sha256 === undefined ? [] : [`sha256: ${change.sha256}`]),
    `issuedAt: ${change.issuedAt}`,
    `nonce: ${change.nonce}`,
  ].join('\n')
}

const SIGNATURE_BYTES = 64
/** Base58 of 64 bytes is never longer. */
const SIGNATURE_LENGTH_MAX = 88

/** The fields that every owner-signed change carries. */
export const OwnerSignature = z.object({
  owner: AddressString.meta({ description: 'The wallet that signs.' }),
  issuedAt: z.string().refine(isInstant, 'must be an ISO time with milliseconds and Z').meta({
    format: 'date-time',
    description:
      'ISO 8601 UTC with milliseconds. The change is valid for five minutes before and after, and must be newer than the last one.',
  }),
  nonce: z
    .string()
    .regex(/^[\w-]{16,64}$/, 'must be 16 to 64 of A-Z a-z 0-9 _ -')
    .meta({ description: 'Any value that this owner has not used before.' }),
  signature: z
    .string()
    .max(SIGNATURE_LENGTH_MAX)
    .transform((text, context) => {
      const bytes = decodeBase58(text)
      if (bytes?.length === SIGNATURE_BYTES) return bytes
      context.addIssue({ code: 'custom', message: 'must be base58 of exactly 64 bytes' })
      return z.NEVER
    })
    .meta({ description: "Base58 of the owner's ed25519 signature over the text of the change." }),
})
export type OwnerSignature = z.output<typeof OwnerSignature>

/** For the API reference. The signature is well-formed, but signs nothing. */
export const OWNER_SIGNATURE_EXAMPLE = {
  owner: EXAMPLE_ADDRESSES.owner,
  issuedAt: '2026-11-16T05:30:00.000Z',
  nonce: 'ZXhhbXBsZS1ub25jZQ',
  signature: '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
}

/** There is one spelling for each time, because the text is signed as it was sent. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text)
  return /^\d{4}-/.test(text) && !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

function decodeBase58(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(getBase58Encoder().encode(text))
  } catch {
    return undefined
  }
}
