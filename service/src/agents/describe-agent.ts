import type { Address } from '@slipway/schema/address'
import type { Agent, AgentCard } from '@slipway/schema/agent'
import type { BaseToken } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { assetSignerAddress } from '../chain/addresses/addresses.ts'
import type { AgentFacts } from '../chain/agent-facts.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { synthesiseCard } from './synthesise-card.ts'

export interface AgentSource {
  network: Network
  address: Address
  facts: AgentFacts
  documents: AgentDocuments
  verifiedAt: Date | undefined
  authoredCard: Buffer | undefined
  /** The tokens of its registered launches, newest first. */
  tokens: BaseToken[]
}

/** What is served of an agent. The card is its exact bytes. */
export interface AgentDescription {
  detail: Agent
  card: Buffer | undefined
}

export function describeAgent(source: AgentSource, publicUrl: string): AgentDescription {
  const { address, facts, documents, tokens } = source
  const { registration, asset, token } = documents
  const face = {
    name: registration?.value.name ?? asset?.value.name ?? facts.name,
    description: registration?.value.description ?? asset?.value.description ?? '',
    image: registration?.value.image ?? asset?.value.image,
  }
  const card = cardOf(source, face, publicUrl)
  // What was read of a token may be older than what the chain says: the former one's face is no other's.
  const tokenInfo = [...tokens, ...(token ? [token.value] : [])].find(
    ({ address }) => address === facts.agentToken,
  )
  const documented: Agent = {
    success: true,
    address,
    name: face.name,
    description: face.description,
    ...(face.image !== undefined && { image: face.image }),
    walletAddress: assetSignerAddress(address),
    owner: facts.owner,
    ...(facts.authority && { authority: facts.authority }),
    ...(facts.agentUri && { agentMetadataUri: facts.agentUri }),
    ...(facts.agentToken && { agentToken: facts.agentToken }),
    a2aCard: card?.value ?? null,
    verifiedAt: source.verifiedAt?.toISOString() ?? null,
    tokens,
    ...(tokenInfo && { agentTokenInfo: tokenInfo }),
  }
  return {
    card: card?.bytes,
    // Documented names stand first, and once more at the end: nothing of a stranger's document stands over them.
    detail: { ...documented, ...registration?.fields, ...documented },
  }
}

/** The authored card as it was stored, else one made of a document that could be had and names the agent. */
function cardOf(
  { network, address, documents: { registration, endpoint }, authoredCard }: AgentSource,
  { description, image }: { description: string; image: string | undefined },
  publicUrl: string,
): { value: AgentCard; bytes: Buffer } | undefined {
  if (authoredCard) return { value: JSON.parse(authoredCard.toString()), bytes: authoredCard }
  const name = registration?.value.name
  if (!registration || name === undefined) return undefined
  const value = synthesiseCard({
    url: cardUrl(publicUrl, network, address),
    name,
    description,
    image,
    registration: registration.value,
    endpointCard: endpoint?.value,
  })
  return { value, bytes: Buffer.from(JSON.stringify(value)) }
}

export function cardUrl(publicUrl: string, network: Network, address: Address): string {
  const query = network === 'chain-devnet' ? '?network=chain-devnet' : ''
  return `${publicUrl}/v1/agents/${address}/agent-card.json${query}`
}
