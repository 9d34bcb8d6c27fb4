import type { AgentRecord } from '@slipway/schema/agent-record'
import type { JsonObject } from '../metadata/fetched-document.ts'
import type { ListedAgent } from '../store/list-agents.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { describeAgent, isActive } from './describe-agent.ts'

/** A listed agent as callers see it, its fields in the order of the contract. */
export function buildAgentRecord(listed: ListedAgent, publicUrl: string): AgentRecord {
  const { row, listing } = listed
  const { detail, documents } = describeReadable(listed, publicUrl)
  return {
    mintAddress: row.address,
    network: row.network,
    name: detail.name,
    description: detail.description,
    image: detail.image ?? null,
    walletAddress: detail.walletAddress,
    authority: row.authority,
    owner: row.owner,
    agentToken: row.agentToken,
    agentMetadataUri: row.agentUri,
    metadata: metadataOf(documents),
    a2aCard: detail.a2aCard,
    isActive: isActive(documents),
    registrationSignature: listing.registrationSignature,
    indexedAt: listing.indexedAt.toISOString(),
    spotlightedAt: listing.spotlightedAt?.toISOString() ?? null,
    verifiedAt: listing.verifiedAt?.toISOString() ?? null,
    createdAt: listing.registeredAt.toISOString(),
    updatedAt: listing.updatedAt.toISOString(),
    delegates: listed.delegates,
  }
}

/** Documents that another version saved and this one cannot read are left out. */
function describeReadable({ row, authoredCard, cardOwner }: ListedAgent, publicUrl: string) {
  const describe = (documents: AgentDocuments) => {
    const { network, address } = row
    const isCardRemoved = cardOwner !== null && authoredCard === null
    const operators = { verifiedAt: undefined, authoredCard: authoredCard ?? undefined, isCardRemoved }
    const source = { network, address, facts: row, documents, tokens: [], ...operators }
    return { documents, detail: describeAgent(source, { publicUrl }).detail }
  }
  try {
    return describe(row.documents as AgentDocuments)
  } catch {
    return describe({})
  }
}

/** The registration document. Its display fields are stored as they are shown, the others as they were fetched. */
function metadataOf({ registration }: AgentDocuments): JsonObject | null {
  if (!registration) return null
  const { name, description, image } = registration.value
  return {
    ...registration.fields,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(image !== undefined && { image }),
  }
}
