import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { AccountReader } from '../chain/account-reader.ts'
import type { AgentFacts } from '../chain/agent-facts.ts'
import { fetchTokenFacts } from '../chain/token-facts.ts'
import type { Document, DocumentResult, JsonObject } from '../metadata/document-result.ts'
import { type DisplayMetadata, parseDisplayMetadata } from '../metadata/documents/display-metadata.ts'
import { parseMergeableFields } from '../metadata/documents/mergeable-fields.ts'
import {
  parseRegistrationDocument,
  type RegistrationDocument,
} from '../metadata/documents/registration-document.ts'
import type { Documents } from '../metadata/documents.ts'
import type { Gateways } from '../metadata/parse-document-uri.ts'
import { type EndpointCard, readEndpointCard } from './endpoint-card.ts'
import { cardEndpointOf } from './synthesise-card.ts'

/** Each with where it was read from: it counts only while the chain still names that. */
export interface AgentDocuments {
  registration?: { uri: string; value: RegistrationDocument; fields: JsonObject } & Fetched
  asset?: { uri: string; value: DisplayMetadata } & Fetched
  endpoint?: { uri: string; value: EndpointCard } & Fetched
  token?: { mint: Address; value: BaseToken } & Fetched
}

interface Fetched {
  fetchedAtMs?: number
}

export interface DocumentSources {
  documents: Pick<Documents, 'get'>
  gateways: Gateways
  /** How long a caller waits for documents, all in all; they go on arriving for the next one. */
  waitMsMax: number
}

/**
 * Everything behind the URIs that the chain names. What cannot be had now is taken from what was known before, as long
 * as the chain still points there: a host that is down for an hour takes nothing away. So is what another node has
 * fetched since: nodes look at documents at different times, and would overwrite each other's news in turn.
 */
export async function fetchAgentDocuments(
  { documents, gateways, waitMsMax }: DocumentSources,
  reader: AccountReader,
  facts: AgentFacts,
  { known, isOwnToken }: { known: AgentDocuments; isOwnToken: (mint: Address) => boolean },
): Promise<AgentDocuments> {
  const deadlineMs = performance.now() + waitMsMax
  const get = (uri: string): Promise<DocumentResult> =>
    documents.get(uri, { waitMsMax: Math.max(1, deadlineMs - performance.now()) })

  async function ofRegistration(uri: string | null): Promise<Pick<AgentDocuments, 'registration'>> {
    if (!uri) return {}
    const result = await get(uri)
    const before = known.registration?.uri === uri ? known.registration : undefined
    if (!isNews(result, before)) return before ? { registration: before } : {}
    const value = parseRegistrationDocument(result.value, gateways)
    return { registration: { uri, value, fields: parseMergeableFields(result), ...timeOf(result) } }
  }

  async function ofAsset(
    uri: string,
    face: DisplayMetadata | undefined,
  ): Promise<Pick<AgentDocuments, 'asset'>> {
    // Only asked where the registration leaves something open.
    const isWhole = face?.name !== undefined && face.description !== undefined && face.image !== undefined
    if (!uri || isWhole) return {}
    const result = await get(uri)
    const before = known.asset?.uri === uri ? known.asset : undefined
    if (!isNews(result, before)) return before ? { asset: before } : {}
    return { asset: { uri, value: parseDisplayMetadata(result.value, gateways), ...timeOf(result) } }
  }

  async function ofEndpoint(uri: string | undefined): Promise<Pick<AgentDocuments, 'endpoint'>> {
    if (!uri) return {}
    const result = await get(uri)
    const before = known.endpoint?.uri === uri ? known.endpoint : undefined
    if (!isNews(result, before)) return before ? { endpoint: before } : {}
    return { endpoint: { uri, value: readEndpointCard(result.value), ...timeOf(result) } }
  }

  async function ofToken(mint: Address | null): Promise<Pick<AgentDocuments, 'token'>> {
    if (!mint || isOwnToken(mint)) return {}
    const token = await fetchTokenFacts(reader, mint)
    if (!token) return {}
    const before = known.token?.mint === mint ? known.token : undefined
    const result = token.uri ? await get(token.uri) : undefined
    const news = result && isNews(result, before) ? result : undefined
    const face = news ? parseDisplayMetadata(news.value, gateways) : before?.value
    return {
      token: {
        mint,
        ...timeOf(news ?? before),
        value: {
          address: mint,
          name: token.name,
          symbol: token.symbol,
          image: face?.image ?? '',
          description: face?.description ?? '',
        },
      },
    }
  }

  const [{ registration }, token] = await Promise.all([
    ofRegistration(facts.agentUri),
    ofToken(facts.agentToken),
  ])
  const [asset, endpoint] = await Promise.all([
    ofAsset(facts.uri, registration?.value),
    ofEndpoint(registration && cardEndpointOf(registration.value)),
  ])
  return { ...(registration && { registration }), ...asset, ...endpoint, ...token }
}

function isNews(result: DocumentResult, before: Fetched | undefined): result is Document {
  return result.ok && (result.fetchedAtMs ?? Number.POSITIVE_INFINITY) >= (before?.fetchedAtMs ?? 0)
}

const timeOf = ({ fetchedAtMs }: Fetched = {}): Fetched => (fetchedAtMs === undefined ? {} : { fetchedAtMs })
