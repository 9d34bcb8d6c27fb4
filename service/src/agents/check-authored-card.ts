import type { Address } from '@slipway/schema/address'
import type { ErrorDetail } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import { parseUrl } from '@slipway/schema/url'
import { decodeProtectedHeader } from 'jose'
import { isObject } from '../metadata/fetched-document.ts'
import { findOwnPath } from '../metadata/own-documents.ts'
import { cardUrl, isBelowAgent } from './agent-paths.ts'
import { type CardSigning, listPublicKeys } from './sign-card.ts'
import { findCardProblems } from './validate-card.ts'

/** Needed to recognize this service's own URLs and signatures. */
export interface OwnCards {
  publicUrl: string
  publicUrlsPrevious: readonly string[]
  cardSigning: CardSigning
}

/**
 * The problems of a card that an agent's author wrote: it must be valid, and must claim neither another agent's URL
 * nor a signature of this service. The signature of another agent's card would be valid, because it doesn't cover the
 * address.
 */
export function checkAuthoredCard(
  card: Record<string, unknown>,
  own: OwnCards,
  { network, address }: { network: Network; address: Address },
): ErrorDetail[] {
  const isForeign = (path: string | undefined) => path !== undefined && !isBelowAgent(path, network, address)
  const problems = findCardProblems(card, { needsVersion: false })
  if (problems.length > 0) return problems
  // Clients may resolve a relative URL against the card's.
  const base = cardUrl(own.publicUrl, network, address)
  const kids = listPublicKeys(own.cardSigning).map(({ kid }) => kid)
  return [
    ...listUrls(card).flatMap(({ path, url }) =>
      isForeign(ownPath(own, url, base)) ? [{ path, message: 'is the URL of another agent' }] : [],
    ),
    ...listHeaders(card).flatMap(({ path, kid, jku }) =>
      kids.some(one => one === kid) || ownPath(own, jku, base) !== undefined
        ? [{ path, message: 'is a signature of this service' }]
        : [],
    ),
  ]
}

function listUrls(card: Record<string, unknown>): { path: string; url: unknown }[] {
  const listed = ['supportedInterfaces', 'additionalInterfaces'].flatMap(list =>
    listObjects(card[list]).map((one, at) => ({ path: `${list}.${at}.url`, url: one.url })),
  )
  return [{ path: 'url', url: card.url }, ...listed]
}

/** The headers of all signatures. A signature with an unreadable header verifies nothing. */
function listHeaders(card: Record<string, unknown>): { path: string; kid?: unknown; jku?: unknown }[] {
  return listObjects(card.signatures).map((signature, at) => {
    const path = `signatures.${at}`
    try {
      return { ...decodeProtectedHeader(signature), path }
    } catch {
      return { path }
    }
  })
}

/** Anything else counts as an empty object, so that the positions stay right. */
const listObjects = (value: unknown) =>
  (Array.isArray(value) ? value : []).map(one => (isObject(one) ? one : {}))

/** The path of a URL below our own; undefined if it is not ours. */
function ownPath(
  { publicUrl, publicUrlsPrevious }: OwnCards,
  text: unknown,
  base: string,
): string | undefined {
  const url = typeof text === 'string' ? parseUrl(text, base) : undefined
  return url && findOwnPath({ url: publicUrl, previousUrls: publicUrlsPrevious }, normalise(url))
}

const DECODED_TIMES_MAX = 5

/**
 * The URL as a proxy might read it: the path has no escapes, doubled slashes, backslashes or dots, and the host is in
 * lower case. The URL parser lowers the host only for web schemes.
 */
function normalise(url: URL): URL {
  const scheme = /^(https?|wss?):$/.test(url.protocol) ? url.protocol : 'https:'
  const plain = url.host && parseUrl(`${scheme}//${url.host}`)
  if (!plain) return url
  let path = url.pathname
  for (let times = 0; times < DECODED_TIMES_MAX && path.includes('%'); times += 1)
    path = path.replace(/%[\da-f]{2}/gi, code => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  plain.pathname = path.replace(/[\\/]+/g, '/')
  plain.search = url.search
  return plain
}
