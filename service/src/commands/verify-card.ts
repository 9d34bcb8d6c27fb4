import { canonicalizeAgentCard } from '@a2a-js/sdk'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { base64url, decodeProtectedHeader, flattenedVerify, type JWK, type JWSHeaderParameters } from 'jose'
import { cardUrl, JWKS_PATH } from '../agents/agent-paths.ts'
import type { CardSignature } from '../agents/sign-card.ts'
import type { Config } from '../config.ts'
import { isObject, parseJsonText } from '../metadata/parse-json-object.ts'
import { OperatorError } from '../operator-error.ts'
import { printable } from './arguments.ts'

const FETCH_MS_MAX = 5_000

type Card = Record<string, unknown> & { signatures?: CardSignature[] }

/**
 * Fetches a card and the published keys from the public URL, as a verifier does, and prints what they prove. A key that a
 * card names elsewhere is never fetched: anyone can publish a key.
 */
export async function verifyCard(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  network: Network,
  address: Address,
): Promise<void> {
  const url = cardUrl(publicUrl, network, address)
  const [fetched, keySet] = await Promise.all([fetchJson(url), fetchJson(publicUrl + JWKS_PATH)])
  const card = fetched.value as Card
  const keys = Array.isArray(keySet.value.keys) ? (keySet.value.keys as JWK[]) : []
  const signatures = Array.isArray(card.signatures) ? card.signatures : []
  const payload = canonicalizeAgentCard(card as never)
  const results = await Promise.all(signatures.map(signature => check(signature, payload, keys)))
  const lines = [
    url,
    `  card         ${String(card.name)}, ${fetched.bytes} bytes, ETag ${fetched.etag ?? 'none'}`,
    `  keys         ${keys.map(({ kid }) => kid).join(', ') || 'none'}`,
    ...results.map(({ verdict }, at) => `  signature ${at + 1}  ${verdict}`),
    ...(results.some(({ isValid }) => isValid) ? describeCoverage(card, payload) : []),
  ]
  process.stdout.write(`${lines.map(printable).join('\n')}\n`)
  if (results.some(({ isValid }) => isValid)) return
  if (results.length > 0) throw new OperatorError('No signature of the card is valid.')
  throw new OperatorError(
    `The card is not signed: ${keys.length > 0 ? 'it is an authored card' : 'CARD_SIGNING_KEY is not set'}.`,
  )
}

function describeCoverage({ signatures: _, ...card }: Card, payload: string): string[] {
  const covered = JSON.parse(payload) as Record<string, unknown>
  const uncovered = [...new Set(listMissing(card, covered))].map(path => path.slice(1))
  return [
    `  covered      ${Object.keys(covered).join(', ')}`,
    `  not covered  ${uncovered.join(', ') || 'nothing'}`,
  ]
}

/** The fields of one JSON value that another one lacks, such as `.skills[].examples`. */
function listMissing(value: unknown, other: unknown): string[] {
  if (Array.isArray(value) && Array.isArray(other))
    return value.flatMap((one, at) => listMissing(one, other[at]).map(path => `[]${path}`))
  if (!isObject(value) || !isObject(other)) return []
  return Object.entries(value).flatMap(([name, one]) =>
    (Object.hasOwn(other, name) ? listMissing(one, other[name]) : ['']).map(path => `.${name}${path}`),
  )
}

async function check(
  signature: CardSignature,
  payload: string,
  keys: readonly JWK[],
): Promise<{ isValid: boolean; verdict: string }> {
  let header: JWSHeaderParameters
  try {
    header = decodeProtectedHeader(signature)
  } catch {
    return { isValid: false, verdict: 'invalid: the protected header cannot be read' }
  }
  const { alg, kid, jku } = header
  const named = `${alg}, key ${kid}${jku === undefined ? '' : `, published at ${jku}`}`
  const key = keys.find(one => one.kid === kid)
  if (!key) return { isValid: false, verdict: `unknown key: ${named}` }
  try {
    await flattenedVerify({ ...signature, payload: base64url.encode(payload) }, key)
    return { isValid: true, verdict: `valid: ${named}` }
  } catch {
    return { isValid: false, verdict: `invalid: ${named}` }
  }
}

async function fetchJson(
  url: string,
): Promise<{ value: Record<string, unknown>; bytes: number; etag: string | null }> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS_MAX) }).catch(
    error => {
      throw new OperatorError(
        `${url} doesn't answer. Start the service, or set PUBLIC_URL or PORT as the service has them.`,
        { cause: error },
      )
    },
  )
  const text = await response.text()
  if (!response.ok) throw new OperatorError(`${url}: ${response.status} ${printable(text.slice(0, 200))}`)
  const parsed = parseJsonText(text)
  if (!parsed.ok) throw new OperatorError(`${url} is not a JSON object. Check PUBLIC_URL.`)
  return { value: parsed.value, bytes: parsed.bytes, etag: response.headers.get('etag') }
}
