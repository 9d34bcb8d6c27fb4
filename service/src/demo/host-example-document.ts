import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sha256Of } from '../metadata/own-documents.ts'
import type { Database } from '../store/database.ts'
import { claimDocument } from '../store/hosted-documents.ts'
import { savePendingDocument } from '../store/pending-documents.ts'

/** A document that the API reference can show. */
export interface ExampleDocument {
  network: Network
  agent: Address
  sha256: string
  body: Buffer
}

/** The registration document that a mint would have hosted for this agent. */
export function buildExampleDocument(
  network: Network,
  { address, name, description }: { address: Address; name: string; description: string },
): ExampleDocument {
  const document = {
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name,
    description,
    registrations: [{ agentId: address, agentRegistry: 'solana:101:metaplex' }],
  }
  const body = Buffer.from(JSON.stringify(document))
  return { network, agent: address, sha256: sha256Of(body), body }
}

/** No agent of the demo was minted here. Without this document, the reference would have none to show. */
export async function hostExampleDocument(
  database: Database,
  { network, agent: asset, sha256, body }: ExampleDocument,
): Promise<void> {
  const document = { sha256, network, asset, body, card: undefined, owner: asset, client: 'demo' }
  const budgets = { ownerBytesMax: Number.POSITIVE_INFINITY, devnetBytesMax: Number.POSITIVE_INFINITY }
  await savePendingDocument(database, document, { uriPatterns: [], budgets })
  await claimDocument(database, network, { sha256, asset })
}
