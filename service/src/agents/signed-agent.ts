import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { RememberedAgent } from '../store/agents.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { describeAgent } from './describe-agent.ts'
import type { CardSignature, SignCard } from './sign-card.ts'

/** A stored agent with the signature of its card, if that is synthesised and cards are signed here. */
export interface SignedAgent extends RememberedAgent {
  cardSignature?: CardSignature
}

/** Adds the signature to an agent as the store has it. Authored cards are never altered. */
export async function signAgent(
  sign: SignCard | undefined,
  { network, address, publicUrl }: { network: Network; address: Address; publicUrl: string },
  remembered: RememberedAgent,
): Promise<SignedAgent> {
  const { row, verifiedAt, authoredCard, isCardRemoved } = remembered
  if (!sign || !row) return remembered
  const { synthesised } = describeAgent(
    {
      network,
      address,
      facts: row,
      documents: row.documents as AgentDocuments,
      verifiedAt,
      authoredCard,
      isCardRemoved,
      tokens: [],
    },
    publicUrl,
  )
  return synthesised
    ? { ...remembered, cardSignature: await sign(network, address, synthesised) }
    : remembered
}
