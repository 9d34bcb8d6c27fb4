import { MintAgentBody, MintedAgent } from '@slipway/schema/mint'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { MINT_PATH } from './agent-paths.ts'
import { EXAMPLE_AGENT, EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from './examples.ts'
import { type MintParts, mintAgent } from './mint-agent.ts'

export function mintAgentEndpoint(parts: MintParts): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: MINT_PATH,
    id: 'mintAgent',
    clientCall: 'agents.mint',
    tool: {
      name: 'mint_agent',
      effect: ({ wallet }, { assetAddress }) =>
        `Creates and registers agent ${assetAddress}. ${wallet} signs, pays the rent and fee, and owns the agent.`,
    },
    tag: 'Agents',
    summary: 'Mint an agent',
    description: `Builds the one transaction that creates a Core asset and registers it as an agent. \`wallet\` [signs and submits](#tag/sign-and-submit) it, and owns the agent.

- The registration document is completed with the agent's address and card, and hosted here under its SHA-256. The transaction writes that URL to the chain. A document that the chain does not name within an hour is dropped.
- Without \`asset\`, the transaction already carries the signature of a fresh key for the new account. The service then drops that key: it holds none that can move anyone's funds.`,
    body: MintAgentBody,
    faults: {},
    reportsDetails: true,
    success: {
      description: "The transaction, the blockhash it was built with, and the agent's address.",
      schema: MintedAgent,
      example: {
        success: true,
        tx: EXAMPLE_TRANSACTION,
        blockhash: EXAMPLE_BLOCKHASH,
        assetAddress: EXAMPLE_AGENT.address,
      },
    },
    errors: [
      'INVALID_INPUT',
      'COLLECTION_NOT_FOUND',
      'ASSET_EXISTS',
      'NOT_AUTHORIZED',
      'TOO_MANY_PENDING',
      'TOO_MANY_DOCUMENTS',
      'PUBLIC_URL_MISSING',
      'DOCUMENTS_FULL',
    ],
    unexpected: 'MINT_FAILED',
    async answer({ body, client }) {
      return { kind: 'json', value: { success: true, ...(await mintAgent(parts, body, client)) } }
    },
  })
}
