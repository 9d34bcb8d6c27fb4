import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import type { AccountReader } from '../chain/account-reader.ts'
import { fetchTokenFacts } from '../chain/accounts/mint.ts'
import type { AgentFacts } from '../chain/agent-facts.ts'
import type { DocumentResult, FetchedDocument, JsonObject } from '../metadata/fetched-document.ts'
import type { FetchedDocuments } from '../metadata/fetched-documents.ts'
import { type DisplayMetadata, parseDisplayMetadata } from '../metadata/formats/display-metadata.ts'
import { parseMergeableFields } from '../metadata/formats/mergeable-fields.ts'
import {
  parseRegistrationDocument,
  type RegistrationDocument,
} from '../metadata/formats/registration-document.ts'
import type { Gateways } from '../metadata/parse-document-uri.ts'
import { type EndpointCard, parseEndpointCard } from './endpoint-card.ts'
import { findCardEndpoint } from './synthesise-card.ts'

/** The documents of an agent. Each records its source, and is used only while the chain still names that source. */
export interface AgentDocuments {
  registration?: { uri: string; value: RegistrationDocument; fields: JsonObject } & Fetched
  asset?: { uri: string; value: DisplayMetadata } & Fetched
  endpoint?: { uri: string; value: EndpointCard } & Fetched
  token?: { mint: Address; value: BaseToken } & Fetched
  /** The authored card that comes with a hosted registration document, as it is served. */
  card?: { uri: string; text: string }
}

interface Fetched {
  fetchedAtMs?: number
}

/** The card that comes with the registration document, as long as the chain names that document. */
export function findHostedCard(
  { agentUri }: Pick<AgentFacts, 'agentUri'>,
  { card }: AgentDocuments,
): Buffer | undefined {
  return card && card.uri === agentUri ? Buffer.from(card.text) : undefined
}

export interface DocumentSources {
  documents: Pick<FetchedDocuments, 'get'>
  gateways: Gateways
  /** How long a caller waits for all documents together. The fetches go on after that, for the next caller. */
  waitMsMax: number
}

/**
 * Fetches the documents that the chain names. A document that cannot be fetched now is replaced by the known one, as
 * long as the chain still names it: a host that is down for an hour changes nothing. The known one also wins if another
 * node fetched it later. Otherwise nodes would overwrite each other's newer documents.
 */
export async function fetchAgentDocuments(
  { documents, gateways, waitMsMax }: DocumentSources,
  reader: AccountReader,
  facts: AgentFacts,
  {
    network,
    known,
    isOwnToken,
  }: { network: Network; known: AgentDocuments; isOwnToken: (mint: Address) => boolean },
): Promise<AgentDocuments> {
  const deadlineMs = performance.now() + waitMsMax
  const get = (uri: string): Promise<DocumentResult> =>
    documents.get(uri, {
      waitMsMax: Math.max(waitMsMax && 1, deadlineMs - performance.now()),
      network,
      owner: facts.owner,
    })

  async function fetchRegistration(uri: string | null): Promise<Pick<AgentDocuments, 'registration'>> {
    if (!uri) return {}
    const result = await get(uri)
    const before = known.registration?.uri === uri ? known.registration : undefined
    if (!isNewer(result, before)) return before ? { registration: before } : {}
    const value = parseRegistrationDocument(result.value, gateways)
    return { registration: { uri, value, fields: parseMergeableFields(result), ...timeOf(result) } }
  }

  async function fetchAsset(
    uri: string,
    display: DisplayMetadata | undefined,
  ): Promise<Pick<AgentDocuments, 'asset'>> {
    // Only needed if the registration leaves something out.
    const isWhole =
      display?.name !== undefined && display.description !== undefined && display.image !== undefined
    if (!uri || isWhole) return {}
    const result = await get(uri)
    const before = known.asset?.uri === uri ? known.asset : undefined
    if (!isNewer(result, before)) return before ? { asset: before } : {}
    return { asset: { uri, value: parseDisplayMetadata(result.value, gateways), ...timeOf(result) } }
  }

  async function fetchEndpoint(uri: string | undefined): Promise<Pick<AgentDocuments, 'endpoint'>> {
    if (!uri) return {}
    const result = await get(uri)
    const before = known.endpoint?.uri === uri ? known.endpoint : undefined
    if (!isNewer(result, before)) return before ? { endpoint: before } : {}
    return { endpoint: { uri, value: parseEndpointCard(result.value), ...timeOf(result) } }
  }

  async function fetchToken(mint: Address | null): Promise<Pick<AgentDocuments, 'token'>> {
    if (!mint || isOwnToken(mint)) return {}
    const token = await fetchTokenFacts(reader, mint)
    if (!token) return {}
    const before = known.token?.mint === mint ? known.token : undefined
    const result = token.uri ? await get(token.uri) : undefined
    const newer = result && isNewer(result, before) ? result : undefined
    const display = newer ? parseDisplayMetadata(newer.value, gateways) : before?.value
    return {
      token: {
        mint,
        ...timeOf(newer ?? before),
        value: {
          address: mint,
          name: token.name,
          symbol: token.symbol,
          image: display?.image ?? '',
          description: display?.description ?? '',
        },
      },
    }
  }

  const [{ registration }, token] = await Promise.all([
    fetchRegistration(facts.agentUri),
    fetchToken(facts.agentToken),
  ])
  const [asset, endpoint] = await Promise.all([
    fetchAsset(facts.uri, registration?.value),
    fetchEndpoint(registration && findCardEndpoint(registration.value)),
  ])
  return { ...(registration && { registration }), ...asset, ...endpoint, ...token }
}

function isNewer(result: DocumentResult, before: Fetched | undefined): result is FetchedDocument {
  return result.ok && (result.fetchedAtMs ?? Number.POSITIVE_INFINITY) >= (before?.fetchedAtMs ?? 0)
}

const timeOf = ({ fetchedAtMs }: Fetched = {}): Fetched => (fetchedAtMs === undefined ? {} : { fetchedAtMs })
