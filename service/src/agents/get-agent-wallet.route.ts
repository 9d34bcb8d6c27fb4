import type { Address } from '@slipway/schema/address'
import { AgentWalletBody } from '@slipway/schema/agent-wallet'
import { ServiceError } from '@slipway/schema/errors'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { z } from 'zod'
import type { ReachSlot } from '../chain/at-slot.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { MinSlot } from '../endpoint/min-slot.ts'
import { knownAgents } from '../store/agents.ts'
import type { Database } from '../store/database.ts'
import { AgentParams, AgentQuery, WALLET_PATH } from './agent-paths.ts'
import { EXAMPLE_WALLET } from './examples.ts'
import { createWallets, type WalletParts } from './wallet/read-wallet.ts'

export function getAgentWalletEndpoint({
  chains,
  database,
  snapshots,
}: {
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, Pick<WalletParts, 'rpc' | 'heldTokens'> & { reachSlot: ReachSlot }>>
  database: Database
  snapshots: { of(network: Network): { launchesOfToken(mint: Address): readonly unknown[] | undefined } }
}): Endpoint {
  const wallets = new Map<Network, ReturnType<typeof createWallets>>()
  for (const network of NETWORKS) {
    const chain = chains[network]
    if (!chain) continue
    const { rpc, heldTokens } = chain
    const isKnown = knownAgents(database, network)
    const isLaunched = (mint: Address) => (snapshots.of(network).launchesOfToken(mint)?.length ?? 0) > 0
    wallets.set(network, createWallets({ rpc, heldTokens, isKnown, isLaunched }))
  }
  return defineEndpoint({
    method: 'GET',
    path: WALLET_PATH,
    id: 'getAgentWallet',
    clientCall: 'agents.wallet',
    tag: 'Agents',
    summary: "Get an agent's wallet",
    description: `Everything that the agent's wallet holds: SOL, and the tokens of both token programs. Creator rewards that an agent has earned are here, as wrapped SOL.

- Anyone can send an agent any token, with any name. The mint identifies a token. \`known\` says whether the token is wrapped SOL, the agent's own token or the token of a launch that is registered here.
- The wallet is read from the chain. Everyone who asks within a second gets the same response, and these requests have a [limit of their own](#tag/rate-limits).
- The owner takes tokens out with \`withdraw\`.`,
    params: AgentParams,
    query: AgentQuery.extend({
      minSlot: z
        .string()
        .optional()
        .meta({ ...MinSlot.meta() }),
    }),
    faults: { network: 'INVALID_INPUT', minSlot: 'INVALID_INPUT', address: 'AGENT_NOT_FOUND' },
    success: {
      description: 'What the wallet holds.',
      schema: AgentWalletBody,
      example: { success: true, data: EXAMPLE_WALLET },
    },
    errors: ['AGENT_NOT_FOUND'],
    async answer({ params: { address }, query: { network, minSlot: sent }, client }) {
      const read = wallets.get(network)
      if (!read) throw new ServiceError('AGENT_NOT_FOUND')
      const { data: minSlot, success } = MinSlot.safeParse(sent)
      if (!success) throw invalidMinSlot('must be a slot')
      await chains[network]?.reachSlot({ minSlot, client }).catch(refuseInput)
      return {
        kind: 'json',
        value: { success: true, data: await read(address, { client, minSlot }) },
        cacheControl: 'no-store',
      }
    },
  })
}

/** This family of endpoints has one error for everything that is invalid. */
function refuseInput(error: Error): never {
  if (!(error instanceof ServiceError) || error.code !== 'INVALID_MIN_SLOT') throw error
  throw invalidMinSlot(error.details?.[0]?.message ?? '')
}

const invalidMinSlot = (message: string) =>
  new ServiceError('INVALID_INPUT', { details: [{ path: 'minSlot', message }] })
