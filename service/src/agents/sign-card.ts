import { createHash } from 'node:crypto'
import { canonicalizeAgentCard } from '@a2a-js/sdk'
import type { Address } from '@slipway/schema/address'
import type { AgentCard } from '@slipway/schema/agent'
import type { Network } from '@slipway/schema/network'
import { FlattenedSign } from 'jose'
import { LRUCache } from 'lru-cache'
import type { SigningKey } from '../lib/signing-key.ts'
import { findOrSaveSignature } from '../store/card-signatures.ts'
import type { Database } from '../store/database.ts'

/** An element of a card's `signatures`: a flattened JWS without its payload. */
export interface CardSignature {
  protected: string
  signature: string
}

export type SignCard = (network: Network, address: Address, card: AgentCard) => Promise<CardSignature>

export const JWKS_PATH = '/.well-known/jwks.json'

const SIGNATURES_MAX = 20_000

/**
 * Signs cards as A2A 1.0 describes in section 8.4. What is signed is what the A2A SDK verifies: the fields of version 1.0
 * in their canonical form. The payload and the header are the same on every node, and the signature comes from the store.
 */
export function createCardSigner({
  database,
  key: { privateKey, publicJwk },
  publicUrl,
}: {
  database: Database
  key: SigningKey
  publicUrl: string
}): SignCard {
  const header = {
    alg: publicJwk.alg,
    typ: 'JOSE',
    kid: publicJwk.kid,
    jku: `${publicUrl}${JWKS_PATH}`,
  }
  const encodedHeader = Buffer.from(JSON.stringify(header)).toString('base64url')
  // Agents are read again every few seconds while they are in use, and their cards rarely change.
  const known = new LRUCache<string, string>({ max: SIGNATURES_MAX })

  return async (network, address, card) => {
    const payload = Buffer.from(canonicalizeAgentCard(card as never))
    const digest = createHash('sha256').update(encodedHeader).update('.').update(payload).digest('base64url')
    const id = `${network}/${address}/${digest}`
    const signature =
      known.get(id) ??
      (await findOrSaveSignature(database, { network, address, digest }, async () => {
        const jws = await new FlattenedSign(payload).setProtectedHeader(header).sign(privateKey)
        return jws.signature
      }))
    known.set(id, signature)
    return { protected: encodedHeader, signature }
  }
}
