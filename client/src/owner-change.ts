import { encodeBase58, toHex } from './base58.ts'
import type { Address, ExternalLinks, JsonObject, Network, OwnerSignature } from './types.ts'

/** A change that an owner signs. */
export type OwnerChange = {
  /** The service's public URL, which the text names so that no other service accepts it. */
  deployment: string
  /** `chain-mainnet` by default. */
  network?: Network | undefined
  /** The agent, or the launch's genesis account. */
  address: Address
} & (
  | { purpose: 'replace agent card'; card: JsonObject }
  | { purpose: 'remove agent card' }
  /** `agent` is signed only if the change names one, or `null` for none. */
  | { purpose: 'change launch links'; externalLinks: ExternalLinks; agent?: Address | null }
)

interface Owner {
  address: Address
  /** Signs the bytes of a text with ed25519, as `signMessage` of a wallet does. */
  signMessage(message: Uint8Array): Promise<Uint8Array>
}

/**
 * Has an owner sign a change of a card or of links. Pass the result on with the change itself:
 * `agents.replaceCard(address, { card, ...signed })`. It is valid for five minutes, once.
 */
export async function signOwnerChange(change: OwnerChange, owner: Owner): Promise<OwnerSignature> {
  const issuedAt = new Date().toISOString()
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(16)))
  const text = await buildOwnerChangeText(change, { issuedAt, nonce })
  const signature = encodeBase58(await owner.signMessage(new TextEncoder().encode(text)))
  return { owner: owner.address, issuedAt, nonce, signature }
}

/** The text that the wallet shows. */
export async function buildOwnerChangeText(
  change: OwnerChange,
  { issuedAt, nonce }: { issuedAt: string; nonce: string },
): Promise<string> {
  const value = signedValue(change)
  return [
    `Slipway: ${change.purpose}`,
    `deployment: ${change.deployment.replace(/\/+$/, '')}`,
    `network: ${change.network ?? 'chain-mainnet'}`,
    `address: ${change.address}`,
    ...(value ? [`sha256: ${await digestJson(value)}`] : []),
    `issuedAt: ${issuedAt}`,
    `nonce: ${nonce}`,
  ].join('\n')
}

function signedValue(change: OwnerChange): object | undefined {
  if (change.purpose === 'remove agent card') return undefined
  if (change.purpose === 'replace agent card') return change.card
  const { agent, externalLinks } = change
  return agent === undefined ? externalLinks : { agent, externalLinks }
}

async function digestJson(value: object): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalize(value))
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** The RFC 8785 form of what `JSON.stringify` would send: no spaces, and keys in the order of their UTF-16 units. */
function canonicalize(value: unknown): string {
  return write(JSON.parse(JSON.stringify(value)))

  function write(part: unknown): string {
    if (typeof part !== 'object' || part === null) return JSON.stringify(part)
    if (Array.isArray(part)) return `[${part.map(write).join(',')}]`
    const fields = part as Record<string, unknown>
    // The default order of `sort` is that of UTF-16 units.
    const keys = Object.keys(fields).sort()
    return `{${keys.map(key => `${JSON.stringify(key)}:${write(fields[key])}`).join(',')}}`
  }
}
