import { canonicalizeAgentCard } from '@a2a-js/sdk'
import type { AgentCard, Jwk } from '@slipway/client'
import { isObject, parseList } from '../../lib/parse-json.ts'
import type { SignatureState } from './parse-card.ts'

/**
 * Checks our signatures of a card with the keys of this service. As in the A2A SDK, a signature covers the fields of
 * version 1.0 in their canonical form. A card's own `jku` is only compared, never fetched.
 */
export async function checkSignature(
  card: AgentCard,
  keys: readonly Jwk[],
  ownKeysUrl: string,
): Promise<SignatureState> {
  const signatures = parseList(card.signatures).flatMap(parseSignature)
  const ours = signatures.flatMap(one => {
    const key = keys.find(({ kid }) => kid === one.kid)
    return key ? [{ ...one, key }] : []
  })
  // It claims to be ours, but we have no such key.
  if (ours.length === 0) return signatures.some(({ jku }) => jku === ownKeysUrl) ? 'mismatch' : 'foreign'
  let state: SignatureState = 'mismatch'
  for (const { key, alg, signed, signature } of ours) {
    if (alg !== key.alg) continue
    const publicKey = await importKey(key)
    if (!publicKey) state = 'unavailable'
    else if (await verify(publicKey, card, signed, signature)) return 'own'
  }
  return state
}

interface ParsedSignature {
  kid: string
  alg: string
  jku: unknown
  /** The header as it was signed. */
  signed: string
  signature: Uint8Array<ArrayBuffer>
}

/** An element of `signatures`: a flattened JWS without its payload. */
function parseSignature(entry: unknown): ParsedSignature[] {
  if (!isObject(entry) || typeof entry.protected !== 'string' || typeof entry.signature !== 'string')
    return []
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(decodeBase64url(entry.protected)))
    if (!isObject(header) || typeof header.kid !== 'string' || typeof header.alg !== 'string') return []
    return [
      {
        kid: header.kid,
        alg: header.alg,
        jku: header.jku,
        signed: entry.protected,
        signature: decodeBase64url(entry.signature),
      },
    ]
  } catch {
    return []
  }
}

const ALGORITHMS = {
  ES256: { import: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: 'SHA-256' } },
  EdDSA: { import: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
}

/**
 * Undefined if this browser cannot use such a key: older ones lack Ed25519, and pages without https lack everything.
 */
async function importKey({ kty, crv, x, y, alg }: Jwk): Promise<CryptoKey | undefined> {
  const jwk = { kty, crv, x, ...(y !== undefined && { y }) }
  try {
    return await crypto.subtle.importKey('jwk', jwk, ALGORITHMS[alg].import, false, ['verify'])
  } catch {
    return undefined
  }
}

async function verify(
  key: CryptoKey,
  card: AgentCard,
  signed: string,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const payload = encodeBase64url(new TextEncoder().encode(canonicalizeAgentCard(card as never)))
  const bytes = new TextEncoder().encode(`${signed}.${payload}`)
  const algorithm = key.algorithm.name === 'ECDSA' ? ALGORITHMS.ES256.verify : ALGORITHMS.EdDSA.verify
  return crypto.subtle.verify(algorithm, key, signature, bytes)
}

function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, character => character.charCodeAt(0))
}

function encodeBase64url(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
