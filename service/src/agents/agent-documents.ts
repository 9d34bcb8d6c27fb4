import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { AccountReader } from '../chain/account-reader.ts'
import type { AgentFacts } from '../chain/agent-facts.ts'
import { fetchTokenFacts } from '../chain/token-facts.ts'
import type { DocumentResult, JsonObject } from '../metadata/document-result.ts'
import { type Face, readFace } from '../metadata/documents/face.ts'
import { readMergeableFields } from '../metadata/documents/mergeable-fields.ts'
import { type Registration, readRegistration } from '../metadata/documents/registration.ts'
import type { Documents } from '../metadata/documents.ts'
import type { Gateways } from '../metadata/parse-document-uri.ts'
import { cardEndpointOf } from './synthesise-card.ts'

/** Each with where it was read from: it counts only while the chain still names that. */
export interface AgentDocuments {
  registration?: { uri: string; value: Registration; fields: JsonObject }
  asset?: { uri: string; value: Face }
  endpointCard?: { uri: string; value: JsonObject }
  token?: { mint: Address; value: BaseToken }
}

export interface DocumentSources {
  documents: Pick<Documents, 'get'>
  gateways: Gateways
  /** How long a caller waits for documents, all in all; they go on arriving for the next one. */
  waitMsMax: number
}

/**
 * Everything behind the URIs that the chain names. What cannot be had now is taken from what was known before, as long
 * as the chain still points there: a host that is down for an hour takes nothing away.
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
    if (!result.ok) return known.registration?.uri === uri ? { registration: known.registration } : {}
    const value = readRegistration(result.value, gateways)
    return { registration: { uri, value, fields: readMergeableFields(result) } }
  }

  async function ofAsset(uri: string, face: Face | undefined): Promise<Pick<AgentDocuments, 'asset'>> {
    // Only asked where the registration leaves something open.
    const isWhole = face?.name !== undefined && face.description !== undefined && face.image !== undefined
    if (!uri || isWhole) return {}
    const result = await get(uri)
    if (result.ok) return { asset: { uri, value: readFace(result.value, gateways) } }
    return known.asset?.uri === uri ? { asset: known.asset } : {}
  }

  async function ofEndpoint(uri: string | undefined): Promise<Pick<AgentDocuments, 'endpointCard'>> {
    if (!uri) return {}
    const result = await get(uri)
    if (result.ok) return { endpointCard: { uri, value: readMergeableFields(result) } }
    return known.endpointCard?.uri === uri ? { endpointCard: known.endpointCard } : {}
  }

  async function ofToken(mint: Address | null): Promise<Pick<AgentDocuments, 'token'>> {
    if (!mint || isOwnToken(mint)) return {}
    const token = await fetchTokenFacts(reader, mint)
    if (!token) return {}
    const before = known.token?.mint === mint ? known.token.value : undefined
    const result = token.uri ? await get(token.uri) : undefined
    const face = result?.ok ? readFace(result.value, gateways) : before
    return {
      token: {
        mint,
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
  const [asset, endpointCard] = await Promise.all([
    ofAsset(facts.uri, registration?.value),
    ofEndpoint(registration && cardEndpointOf(registration.value)),
  ])
  return { ...(registration && { registration }), ...asset, ...endpointCard, ...token }
}
