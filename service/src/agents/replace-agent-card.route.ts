import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import { OWNER_SIGNATURE_EXAMPLE, OwnerSignature } from '@slipway/schema/owner-change'
import { Success } from '@slipway/schema/transaction'
import { z } from 'zod'
import type { CheckedReader } from '../chain/account-reader.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'
import { type Answer, defineEndpoint, type Endpoint, type ShowChange } from '../endpoint/endpoint.ts'
import type { Deadline } from '../lib/deadline.ts'
import { digestJson } from '../lib/digest-json.ts'
import { isObject, type JsonObject, parseJsonText } from '../metadata/fetched-document.ts'
import { applySignedChange } from '../owner-changes/apply-signed-change.ts'
import { findAgent } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { saveOwnerCard } from '../store/owner-cards.ts'
import type { AgentCache } from './agent-cache.ts'
import { AgentParams, AgentQuery, CARD_PATH } from './agent-paths.ts'
import { checkAuthoredCard, type OwnCards } from './check-authored-card.ts'
import { EXAMPLE_CARD } from './examples.ts'
import { findCardProblems } from './validate-card.ts'

interface CardChangeParts extends OwnCards {
  database: Database
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, { rpc: CheckedReader }>>
  agents: Pick<AgentCache, 'show' | 'refresh'>
  showChange: ShowChange
}

const COMMON = {
  path: CARD_PATH,
  tag: 'Agents',
  params: AgentParams,
  query: AgentQuery,
  faults: { address: 'AGENT_NOT_FOUND' },
  success: {
    description:
      'The change is applied. This node shows it from now on, and all other nodes show it within a second.',
    schema: z.object({ success: Success }),
    example: { success: true },
  },
  errors: ['INVALID_INPUT', 'INVALID_SIGNATURE', 'NOT_AUTHORIZED', 'AGENT_NOT_FOUND'],
  reportsDetails: true,
} satisfies Partial<Endpoint>

export function replaceAgentCardEndpoint(parts: CardChangeParts): Endpoint {
  return defineEndpoint({
    ...COMMON,
    method: 'PUT',
    id: 'replaceAgentCard',
    clientCall: 'agents.replaceCard',
    summary: "Replace an agent's card",
    description: `**Needs a signature of the owner's wallet**, as [Owner-signed changes](#tag/owner-signed-changes) explains. The signature in the example is made up, so sending it returns 401 \`Invalid signature\`.

Hosts a card that the agent's owner has written, instead of the built one. The card is served as \`JSON.stringify\` writes it, until the owner replaces or removes it or the agent is transferred.

The owner signs a text that names the deployment, the network, the agent and the SHA-256 of the card's RFC 8785 form.`,
    body: OwnerSignature.extend({ card: SignedCard }).meta({
      examples: [{ card: EXAMPLE_CARD, ...OWNER_SIGNATURE_EXAMPLE }],
    }),
    answer: ({ params, query, body: { card, ...signed }, deadline }) =>
      changeCard(parts, { ...params, ...query, card }, signed, deadline),
  })
}

export function removeAgentCardEndpoint(parts: CardChangeParts): Endpoint {
  return defineEndpoint({
    ...COMMON,
    method: 'DELETE',
    id: 'removeAgentCard',
    clientCall: 'agents.removeCard',
    summary: "Remove an agent's card",
    description: `**Needs a signature of the owner's wallet**, as [Owner-signed changes](#tag/owner-signed-changes) explains. The signature in the example is made up, so sending it returns 401 \`Invalid signature\`.

Returns to the card that is built from the agent's registration document. The owner signs a text that names the deployment, the network and the agent.`,
    body: OwnerSignature.meta({ examples: [OWNER_SIGNATURE_EXAMPLE] }),
    answer: ({ params, query, body, deadline }) =>
      changeCard(parts, { ...params, ...query, card: undefined }, body, deadline),
  })
}

async function changeCard(
  { database, chains, agents, showChange, ...own }: CardChangeParts,
  {
    network,
    address,
    card,
  }: { network: Network; address: Address; card: z.output<typeof SignedCard> | undefined },
  signed: OwnerSignature,
  deadline: Deadline,
): Promise<Answer> {
  const reader = chains[network]?.rpc
  if (!reader) throw new ServiceError('AGENT_NOT_FOUND')
  if (card) {
    const details = checkAuthoredCard(card.value, own, { network, address }).map(({ path, message }) => ({
      path: `card.${path}`,
      message,
    }))
    if (details.length > 0) throw new ServiceError('INVALID_INPUT', { details })
  }
  const change = card
    ? ({ purpose: 'replace agent card', sha256: card.sha256 } as const)
    : ({ purpose: 'remove agent card' } as const)
  const deployment = own.publicUrl
  let isKnownOwner = false
  await applySignedChange(database, { ...change, deployment, network, address }, signed, {
    deadline,
    async assertOwner(owner) {
      const { row, hiddenAt } = await findAgent(database, network, address)
      if (hiddenAt) throw new ServiceError('AGENT_NOT_FOUND')
      isKnownOwner = row?.owner === owner
      return assertAgentOwner({ reader, isKnown: row !== undefined }, address, owner)
    },
    async apply(db, { slot }) {
      const isOwner = await saveOwnerCard(
        db,
        { network, address, owner: signed.owner, slot },
        card?.body ?? null,
      )
      if (!isOwner) throw new ServiceError('NOT_AUTHORIZED')
    },
  })
  await showChange(deadline, async () => {
    await agents.show(network, address)
    // A new owner's card takes effect once the store has the transfer, which the indexer may not have seen yet.
    if (!isKnownOwner) await agents.refresh(network, address)
  })
  return { kind: 'json', value: { success: true } }
}

/** A card as its owner sends it: checked, with the bytes that are stored and the hash that is signed. */
const SignedCard = z
  .custom<JsonObject>(isObject, 'must be an object')
  .transform((card, context) => {
    const sha256 = digestJson(card)
    if (sha256 === undefined) {
      context.addIssue({ code: 'custom', message: 'has no canonical form (RFC 8785)' })
      return z.NEVER
    }
    const text = JSON.stringify(card)
    if (!parseJsonText(text).ok)
      context.addIssue({
        code: 'custom',
        message: 'is nested deeper than 64 levels or has more than 20,000 values',
      })
    for (const { path, message } of findCardProblems(card, { needsVersion: false }))
      context.addIssue({ code: 'custom', message, path: path === '' ? [] : path.split('.') })
    return { sha256, value: card, body: Buffer.from(text) }
  })
  .meta({ $ref: '#/components/schemas/AgentCard', description: 'The new card.' })

/** Reads the chain and throws unless the wallet owns the agent. Returns the slot of the read. */
async function assertAgentOwner(
  {
    reader,
    isKnown,
  }: {
    reader: CheckedReader
    /** Whether the store knows an agent at this address. */
    isKnown: boolean
  },
  address: Address,
  wallet: Address,
): Promise<{ slot: number }> {
  const sinceMs = performance.now()
  const { slot, facts, isMissing } = await fetchAgentFacts(reader, address)
  // If the store has the agent, one endpoint that lacks it proves nothing.
  if (isMissing && isKnown)
    throw new ServiceError('SERVICE_UNAVAILABLE', {
      cause: new Error(`the endpoint does not have ${address}, but the store does`),
    })
  await reader.confirmCluster(sinceMs)
  if (!facts) throw new ServiceError('AGENT_NOT_FOUND')
  if (facts.owner !== wallet) throw new ServiceError('NOT_AUTHORIZED')
  return { slot }
}
