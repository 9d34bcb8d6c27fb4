import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/schema/address'
import type { Agent, AgentCard } from '@slipway/schema/agent'
import { cleanName, cleanText, cleanToken } from '@slipway/schema/clean-text'
import type { BaseToken } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import type { AgentFacts } from '../chain/agent-facts.ts'
import { createSnapshot, type Snapshot } from '../endpoint/endpoint.ts'
import { shortenToken } from '../lib/shorten.ts'
import type { ListedDisplay } from '../store/agent-listing.ts'
import type { AgentRow } from '../store/agents.ts'
import { type AgentDocuments, findHostedCard } from './agent-documents.ts'
import { cardUrl } from './agent-paths.ts'
import type { SignCard } from './sign-card.ts'
import { synthesiseCard } from './synthesise-card.ts'

export interface AgentSource {
  network: Network
  address: Address
  facts: AgentFacts
  documents: AgentDocuments
  verifiedAt: Date | undefined
  authoredCard: Buffer | undefined
  /** Whether the owner has asked for the synthesised card. */
  isCardRemoved?: boolean | undefined
  /** The tokens of its registered launches, newest first. */
  tokens: BaseToken[]
}

/** The public description of an agent. The card is its exact bytes. */
interface AgentDescription {
  detail: Agent
  card: Buffer | undefined
}

export interface CardOptions {
  publicUrl: string
  /** Absent: synthesised cards are not signed. Authored cards never are. */
  sign?: SignCard | undefined
}

/** An agent's prepared answers. */
export interface AgentView {
  readonly detail: Snapshot
  readonly card: Snapshot | undefined
}

/** Prepares an agent's answers. `bytes` also counts the documents behind them, which may be much larger. */
export function createAgentView(
  source: AgentSource,
  options: CardOptions,
): { view: AgentView; bytes: number } {
  const { detail, card } = describeAgent(source, options)
  const view = {
    detail: createSnapshot(Buffer.from(JSON.stringify(detail))),
    card: card && createSnapshot(card),
  }
  const served = view.detail.identity.length + (view.card?.identity.length ?? 0)
  return { view, bytes: served + JSON.stringify(source.documents).length * 2 + 1_024 }
}

export function describeAgent(source: AgentSource, options: CardOptions): AgentDescription {
  const { address, facts, documents, tokens } = source
  const { registration, token } = documents
  const { registered, ...display } = describeDisplay(facts, documents)
  const card = buildCard(source, { ...display, name: registered }, options)
  // The token that was read may be out of date: the chain may name another one by now.
  const tokenInfo = [...tokens, ...(token ? [shortenToken(cleanToken(token.value))] : [])].find(
    ({ address }) => address === facts.agentToken,
  )
  const documented: Agent = {
    success: true,
    address,
    name: display.name,
    description: display.description,
    ...(display.image !== undefined && { image: display.image }),
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
    // Documented fields come first, and again at the end: no field of the document overwrites them.
    detail: { ...documented, ...registration?.fields, ...documented },
  }
}

/** The registration document comes first, then the asset's own, then the chain. */
function describeDisplay(facts: Pick<AgentFacts, 'name'>, { registration, asset }: AgentDocuments) {
  // Documents are cleaned when they are parsed, but an older version may have stored these.
  const registered = cleanName(registration?.value.name)
  return {
    /** The name in the registration document alone. */
    registered,
    name: registered ?? cleanName(asset?.value.name) ?? cleanName(facts.name) ?? '',
    description: cleanText(registration?.value.description) ?? cleanText(asset?.value.description) ?? '',
    image: registration?.value.image ?? asset?.value.image,
  }
}

/**
 * The authored card as it was stored, by an operator or with the registration document, or one synthesised from a
 * document that names the agent.
 */
function buildCard(
  { network, address, facts, documents, authoredCard, isCardRemoved }: AgentSource,
  { name, description, image }: { name: string | undefined; description: string; image: string | undefined },
  { publicUrl, sign }: CardOptions,
): { value: AgentCard; bytes: Buffer } | undefined {
  const authored = authoredCard ?? (isCardRemoved ? undefined : findHostedCard(facts, documents))
  if (authored) return { value: JSON.parse(authored.toString()), bytes: authored }
  const { registration, endpoint } = documents
  if (!registration || name === undefined) return undefined
  const card = synthesiseCard({
    url: cardUrl(publicUrl, network, address),
    name,
    description,
    image,
    registration: registration.value,
    endpointCard: endpoint?.value,
  })
  const value = sign ? { ...card, signatures: [sign(card)] } : card
  return { value, bytes: Buffer.from(JSON.stringify(value)) }
}

/** The fields that the list is filtered and searched by, from the agent's stored documents. */
export function listedDisplay({ documents, ...facts }: AgentRow): ListedDisplay {
  const stored = documents as AgentDocuments
  const { name, description } = describeDisplay(facts, stored)
  return {
    name,
    description,
    keywords: listKeywords(stored),
    isActive: isActive(stored),
    hasServices: hasServices(stored),
  }
}

function listKeywords({ registration, endpoint }: AgentDocuments): string {
  const services = registration?.value.services ?? []
  const skills = [...services.flatMap(service => service.skills), ...(endpoint?.value.skills ?? [])]
  return [
    ...services.map(service => service.name),
    ...skills.flatMap(skill => [skill.name, ...skill.tags, skill.description ?? '']),
  ].join(' ')
}

/** An agent is active unless its registration document says otherwise. */
export const isActive = ({ registration }: AgentDocuments) => registration?.fields.active !== false

const hasServices = ({ registration }: AgentDocuments) => (registration?.value.services.length ?? 0) > 0
