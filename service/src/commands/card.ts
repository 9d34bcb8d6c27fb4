import { readFile } from 'node:fs/promises'
import { canonicalizeAgentCard } from '@a2a-js/sdk'
import { base64url, decodeProtectedHeader, flattenedVerify, type JWK, type JWSHeaderParameters } from 'jose'
import { cardUrl, JWKS_PATH } from '../agents/agent-paths.ts'
import type { CardSignature } from '../agents/sign-card.ts'
import { validateCard } from '../agents/validate-card.ts'
import { printable } from '../lib/terminal.ts'
import { isObject, parseJsonText } from '../metadata/fetched-document.ts'
import { OperatorError } from '../operator-error.ts'
import { removeAuthoredCard, saveAuthoredCard } from '../store/agents.ts'
import { auditedChange } from './audit.ts'
import { type CommandContext, type Host, parseAddress } from './command-context.ts'
import { withStore } from './open-store.ts'

const BYTES_MAX = 256 * 1024

/** Stores a card that is served byte for byte, instead of a card built from the registration document. */
export async function putCard(context: CommandContext): Promise<void> {
  const { network, output, operands, host } = context
  const address = parseAddress(operands[0], 'agent address')
  const body = await readCard(operands[1] as string, host)
  await withStore(context, 'change', async ({ database }) => {
    await auditedChange(database, { command: 'card put', network, subject: address }, tx =>
      saveAuthoredCard(tx, network, address, body),
    )
    output.line(`Stored the card of ${address} on ${network} (${body.length} bytes)`)
    output.json({ address, bytes: body.length })
  })
}

export async function removeCard(context: CommandContext): Promise<void> {
  const { network, output, operands } = context
  const address = parseAddress(operands[0], 'agent address')
  await withStore(context, 'change', async ({ database }) => {
    const change = { command: 'card remove', network, subject: address }
    if (!(await auditedChange(database, change, tx => removeAuthoredCard(tx, network, address))))
      throw new OperatorError(`No card is stored for ${address} on ${network}.`)
    output.line(`Removed the card of ${address} on ${network}`)
    output.json({ address, removed: true })
  })
}

/** The card is checked here because it is served exactly as it was stored. */
async function readCard(file: string, host: Host): Promise<Buffer> {
  const body = await read(file, host)
  if (body.length > BYTES_MAX)
    throw new OperatorError(`The card has ${body.length} bytes. Shorten it to ${BYTES_MAX} or fewer.`)
  const faults = validateCard(body)
  if (faults.length > 0) throw new OperatorError(`The file is not a valid A2A card: ${faults.join('; ')}`)
  return body
}

async function read(file: string, { stdin }: Host): Promise<Buffer> {
  if (file !== '-')
    return readFile(file).catch(error => {
      throw new OperatorError(`The file cannot be read: ${(error as Error).message}`)
    })
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const FETCH_MS_MAX = 5_000

type Card = Record<string, unknown> & { signatures?: CardSignature[] }

/**
 * Fetches a card and the published keys from the public URL, as a verifier does, and prints what they prove. A key that a
 * card names elsewhere is never fetched: anyone can publish a key.
 */
export async function verifyCard({ config, network, output, operands }: CommandContext): Promise<void> {
  const { publicUrl } = config
  const url = cardUrl(publicUrl, network, parseAddress(operands[0], 'agent address'))
  output.facts({ service: publicUrl, network })
  const [fetched, keySet] = await Promise.all([fetchJson(url), fetchJson(publicUrl + JWKS_PATH)])
  const { bytes, etag } = fetched
  const card = fetched.value as Card
  const name = String(card.name)
  const keys = Array.isArray(keySet.value.keys) ? (keySet.value.keys as JWK[]) : []
  const kids = keys.map(({ kid }) => kid)
  const signatures = Array.isArray(card.signatures) ? card.signatures : []
  const payload = canonicalizeAgentCard(card as never)
  const results = await Promise.all(signatures.map(signature => check(signature, payload, keys)))
  const isValid = results.some(result => result.isValid)
  const coverage = isValid ? readCoverage(card, payload) : undefined

  output.json({ url, card: { name, bytes, etag }, keys: kids, signatures: results, ...coverage, isValid })
  const lines = [
    url,
    `  card         ${name}, ${bytes} bytes, ETag ${etag ?? 'none'}`,
    `  keys         ${kids.join(', ') || 'none'}`,
    ...results.map(({ verdict }, at) => `  signature ${at + 1}  ${verdict}`),
    ...(coverage
      ? [
          `  covered      ${coverage.covered.join(', ')}`,
          `  not covered  ${coverage.notCovered.join(', ') || 'nothing'}`,
        ]
      : []),
  ]
  for (const line of lines) output.line(printable(line))
  if (isValid) return
  if (results.length > 0) throw new OperatorError('No signature of the card is valid.')
  throw new OperatorError(
    `The card is not signed: ${keys.length > 0 ? 'it is an authored card' : 'CARD_SIGNING_KEY is not set'}.`,
  )
}

function readCoverage({ signatures: _, ...card }: Card, payload: string) {
  const covered = JSON.parse(payload) as Record<string, unknown>
  const notCovered = [...new Set(listMissing(card, covered))].map(path => path.slice(1))
  return { covered: Object.keys(covered), notCovered }
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
