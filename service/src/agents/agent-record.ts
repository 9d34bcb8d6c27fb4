import type { AgentRecord } from '@slipway/schema/agent-record'
import { cutText, LISTED_BYTES, shortenDescription, shortenPicture, shortenUri } from '../lib/shorten.ts'
import type { JsonObject } from '../metadata/fetched-document.ts'
import type { ListedAgent } from '../store/list-agents.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { describeAgent, isActive } from './describe-agent.ts'

/** A listed agent, and what the registry says of it. */
export interface ListedRecord {
  record: AgentRecord
  hasServices: boolean
  /** From its card, which may be too long for the record. */
  skills: { names: string[]; tags: string[] }
}

/** Maximum length of a record's JSON, whatever its documents say. */
const RECORD_BYTES_MAX = 8_000
/** Left free for `delegates` and `truncated`. */
const RESERVED_BYTES = 100

/**
 * A listed agent as callers see it, its fields in the order of the contract. Documents that don't fit are left out, and
 * `truncated` names them.
 */
export function buildListedRecord(listed: ListedAgent, publicUrl: string): ListedRecord {
  const { row, listing } = listed
  const { detail, documents } = describeReadable(listed, publicUrl)
  const agentMetadataUri = shortenUri(row.agentUri)
  const image = shortenPicture(detail.image ?? '')
  const record: AgentRecord = {
    mintAddress: row.address,
    network: row.network,
    name: cutText(detail.name, LISTED_BYTES.name),
    description: shortenDescription(detail.description, image),
    image: image || null,
    walletAddress: detail.walletAddress,
    authority: row.authority,
    owner: row.owner,
    agentToken: row.agentToken,
    agentMetadataUri,
    metadata: null,
    a2aCard: null,
    isActive: isActive(documents),
    registrationSignature: listing.registrationSignature,
    indexedAt: listing.indexedAt.toISOString(),
    spotlightedAt: listing.spotlightedAt?.toISOString() ?? null,
    verifiedAt: listing.verifiedAt?.toISOString() ?? null,
    createdAt: listing.registeredAt.toISOString(),
    updatedAt: listing.updatedAt.toISOString(),
    delegates: 0,
  }
  const truncated: NonNullable<AgentRecord['truncated']> = []
  if (agentMetadataUri !== row.agentUri) truncated.push('agentMetadataUri')
  let left = RECORD_BYTES_MAX - RESERVED_BYTES - sizeOf(record)
  const fit = <Part extends object>(name: 'metadata' | 'a2aCard', part: Part | null): Part | null => {
    const size = part === null ? 0 : sizeOf(part)
    if (size > left) {
      truncated.push(name)
      return null
    }
    left -= size
    return part
  }
  record.metadata = fit('metadata', metadataOf(documents))
  record.a2aCard = fit('a2aCard', detail.a2aCard)
  if (truncated.length > 0) record.truncated = truncated
  return { record, hasServices: listing.hasServices, skills: listSkills(detail.a2aCard) }
}

export const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))

const WORDS_MAX = 20
const WORD_BYTES_MAX = 64

export function listSkills(card: AgentRecord['a2aCard']): ListedRecord['skills'] {
  const skills = Array.isArray(card?.skills) ? card.skills : []
  return {
    names: listWords(skills.map(skill => skill?.name)),
    tags: listWords(skills.flatMap(skill => skill?.tags ?? [])),
  }
}

/** An owner's card may have values other than strings here. */
function listWords(given: readonly unknown[]): string[] {
  const words = [...new Set(given)].filter(word => typeof word === 'string').slice(0, WORDS_MAX)
  return [...new Set(words.map(word => cutText(word, WORD_BYTES_MAX)))]
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
