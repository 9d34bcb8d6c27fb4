import type { Address } from '@slipway/schema/address'
import type { ErrorDetail } from '@slipway/schema/errors'
import { findOwnPath, type OwnDocuments } from '../metadata/own-documents.ts'
import { isObject } from '../metadata/parse-json-object.ts'
import { AGENT_PATH } from './agent-paths.ts'
import { findCardProblems } from './validate-card.ts'

/** The problems of a card that an agent's author wrote: it must be valid, and must not claim another agent's URL. */
export function checkAuthoredCard(
  card: Record<string, unknown>,
  own: Pick<OwnDocuments, 'url' | 'previousUrls'>,
  { address, cardUrl }: { address: Address; cardUrl: string },
): ErrorDetail[] {
  const problems = findCardProblems(card, { needsVersion: false })
  if (problems.length > 0) return problems
  return listUrls(card).flatMap(({ path, url }) =>
    isForeign(url, { own, address, cardUrl }) ? [{ path, message: 'is the URL of another agent' }] : [],
  )
}

function listUrls(card: Record<string, unknown>): { path: string; url: string }[] {
  const named = (path: string, url: unknown) => (typeof url === 'string' ? [{ path, url }] : [])
  const listed = ['supportedInterfaces', 'additionalInterfaces'].flatMap(list =>
    (Array.isArray(card[list]) ? card[list] : []).flatMap((one, at) =>
      isObject(one) ? named(`${list}.${at}.url`, one.url) : [],
    ),
  )
  return [...named('url', card.url), ...listed]
}

/** Whether a URL is below our own address and not this agent's. Clients may resolve a relative one against the card's. */
function isForeign(
  text: string,
  {
    own,
    address,
    cardUrl,
  }: { own: Pick<OwnDocuments, 'url' | 'previousUrls'>; address: Address; cardUrl: string },
): boolean {
  if (!URL.canParse(text, cardUrl)) return false
  const path = findOwnPath(own, new URL(text, cardUrl))
  if (path === undefined) return false
  const agent = AGENT_PATH.replace('{address}', address)
  return path !== agent && !path.startsWith(`${agent}/`) && !path.startsWith(`${agent}?`)
}
