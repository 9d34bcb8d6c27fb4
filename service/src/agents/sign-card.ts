import { createHash } from 'node:crypto'
import { canonicalizeAgentCard } from '@a2a-js/sdk'
import type { AgentCard } from '@slipway/schema/agent'
import { createLru } from '../lib/create-lru.ts'
import { createDeterministicSign } from '../lib/deterministic-signature.ts'
import type { PublicJwk, SigningKey } from '../lib/signing-key.ts'
import { JWKS_PATH } from './agent-paths.ts'

/** An element of a card's `signatures`: a flattened JWS without its payload. */
export interface CardSignature {
  protected: string
  signature: string
}

export type SignCard = (card: AgentCard) => CardSignature

export interface CardSigning {
  /** Absent: cards are not signed. */
  key: SigningKey | undefined
  /** Further keys that verifiers may need: former ones, and the next one before it is used. */
  previous: readonly PublicJwk[]
}

const SIGNATURES_MAX = 20_000

/**
 * Signs cards as A2A 1.0 describes in section 8.4. As in the A2A SDK, a signature covers the fields of version 1.0 in
 * their canonical form. Signatures are deterministic, so all nodes serve the same bytes.
 */
export function createCardSigner(
  { privateKey, publicJwk: { alg, kid } }: SigningKey,
  { publicUrl }: { publicUrl: string },
): SignCard {
  const header = { alg, typ: 'JOSE', kid, jku: publicUrl + JWKS_PATH }
  const encodedHeader = Buffer.from(JSON.stringify(header)).toString('base64url')
  const sign = createDeterministicSign(privateKey)
  // Agents are read again every few seconds while they are in use, and their cards rarely change.
  const known = createLru<string, string>(SIGNATURES_MAX)

  return card => {
    const digest = createHash('sha256').update(JSON.stringify(card)).digest('base64url')
    let signature = known.get(digest)
    if (signature === undefined) {
      const payload = Buffer.from(canonicalizeAgentCard(card as never)).toString('base64url')
      signature = Buffer.from(sign(Buffer.from(`${encodedHeader}.${payload}`))).toString('base64url')
      known.set(digest, signature)
    }
    return { protected: encodedHeader, signature }
  }
}

/** The keys that verifiers need, the current one first. */
export function listPublicKeys({ key, previous }: CardSigning): PublicJwk[] {
  const keys = key ? [key.publicJwk, ...previous] : previous
  return keys.filter(({ kid }, at) => keys.findIndex(other => other.kid === kid) === at)
}
