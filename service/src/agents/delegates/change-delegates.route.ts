import { AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { BuiltTransaction } from '@slipway/schema/transaction'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../../endpoint/endpoint.ts'
import { knownAgents } from '../../store/agents.ts'
import type { Database } from '../../store/database.ts'
import { findDelegations } from '../../store/delegations.ts'
import { AgentParams, DELEGATE_PATH, REGISTER_EXECUTIVE_PATH, REVOKE_PATH } from '../agent-paths.ts'
import { EXAMPLE_BLOCKHASH, EXAMPLE_TRANSACTION } from '../examples.ts'
import {
  buildDelegation,
  buildRegistration,
  buildRevocation,
  type DelegateParts,
} from './change-delegates.ts'

interface Parts {
  /** The networks that this deployment serves. */
  chains: Partial<Record<Network, Pick<DelegateParts, 'rpc' | 'blockhash'>>>
  database: Database
}

function partsOf({ chains, database }: Parts, network: Network): DelegateParts {
  const chain = chains[network]
  if (!chain)
    throw new ServiceError('INVALID_INPUT', { details: [{ path: 'network', message: 'is not served here' }] })
  const { rpc, blockhash } = chain
  const isKnown = knownAgents(database, network)
  return { rpc, blockhash, isKnown, findIndexed: agent => findDelegations(database, network, agent) }
}

const SUCCESS = {
  description: 'The transaction in base64, and the blockhash it was built with.',
  schema: BuiltTransaction,
  example: { success: true, tx: EXAMPLE_TRANSACTION, blockhash: EXAMPLE_BLOCKHASH },
}

export const delegateAgentEndpoint = (parts: Parts): Endpoint =>
  defineEndpoint({
    method: 'POST',
    path: DELEGATE_PATH,
    id: 'delegateAgent',
    clientCall: 'agents.delegate',
    tag: 'Agents',
    summary: 'Let another wallet spend',
    description: `Builds the unsigned transaction by which the owner makes another wallet a delegate, which can act for the agent. The owner [signs and submits](#tag/sign-and-submit) it.

- **The delegate can then move everything that the agent's wallet holds**, until you \`revoke\` the delegation. A sale of the agent does not end the delegation.
- The delegate must be an executive: a wallet that owners can appoint, because it has registered with \`POST /v1/executives/register\`.`,
    params: AgentParams,
    body: z
      .object({
        sender: AddressString.meta({ description: 'The owner, who signs and pays.' }),
        executive: AddressString.meta({
          description: 'The wallet that becomes a delegate. It must be registered as an executive.',
        }),
        network: NetworkInput,
      })
      .meta({ examples: [{ sender: EXAMPLE_ADDRESSES.owner, executive: EXAMPLE_ADDRESSES.delegate }] }),
    faults: {},
    success: SUCCESS,
    errors: [
      'INVALID_INPUT',
      'AGENT_NOT_FOUND',
      'NOT_AUTHORIZED',
      'NOT_AN_EXECUTIVE',
      'ALREADY_DELEGATED',
      'TRANSACTION_WOULD_FAIL',
    ],
    reportsDetails: true,
    unexpected: 'PREPARE_FAILED',
    async answer({ params: { address }, body: { network, ...request } }) {
      const built = await buildDelegation(partsOf(parts, network), { address, ...request })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })

export const revokeDelegateEndpoint = (parts: Parts): Endpoint =>
  defineEndpoint({
    method: 'POST',
    path: REVOKE_PATH,
    id: 'revokeDelegate',
    clientCall: 'agents.revoke',
    tag: 'Agents',
    summary: 'Stop another wallet from spending',
    description:
      "Builds the unsigned transaction that ends a delegation. The owner or the delegate [signs and submits](#tag/sign-and-submit) the transaction, and gets the rent of the delegation's record.",
    params: AgentParams,
    body: z
      .object({
        sender: AddressString.meta({ description: 'The owner or the delegate, who signs and pays the fee.' }),
        record: AddressString.meta({
          description: 'The `record` of the delegation, from `GET /v1/agents/{address}/delegates`.',
        }),
        network: NetworkInput,
      })
      .meta({ examples: [{ sender: EXAMPLE_ADDRESSES.owner, record: EXAMPLE_ADDRESSES.delegateRecord }] }),
    faults: {},
    success: SUCCESS,
    errors: [
      'INVALID_INPUT',
      'AGENT_NOT_FOUND',
      'NOT_AUTHORIZED',
      'NO_SUCH_DELEGATION',
      'TRANSACTION_WOULD_FAIL',
    ],
    reportsDetails: true,
    unexpected: 'PREPARE_FAILED',
    async answer({ params: { address }, body: { network, ...request } }) {
      const built = await buildRevocation(partsOf(parts, network), { address, ...request })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })

export const registerExecutiveEndpoint = (parts: Parts): Endpoint =>
  defineEndpoint({
    method: 'POST',
    path: REGISTER_EXECUTIVE_PATH,
    id: 'registerExecutive',
    clientCall: 'executives.register',
    tag: 'Agents',
    summary: 'Register as an executive',
    description:
      'Builds the unsigned transaction that registers a wallet as an executive: a wallet that owners can appoint as a delegate of their agents. Registration alone gives the wallet no power over any agent. The wallet [signs and submits](#tag/sign-and-submit) the transaction.',
    body: z
      .object({
        wallet: AddressString.meta({ description: 'The wallet that registers, signs and pays.' }),
        network: NetworkInput,
      })
      .meta({ examples: [{ wallet: EXAMPLE_ADDRESSES.delegate }] }),
    faults: {},
    success: SUCCESS,
    errors: ['INVALID_INPUT', 'ALREADY_EXECUTIVE', 'TRANSACTION_WOULD_FAIL'],
    reportsDetails: true,
    unexpected: 'PREPARE_FAILED',
    async answer({ body: { network, wallet } }) {
      const built = await buildRegistration(partsOf(parts, network), { wallet })
      return { kind: 'json', value: { success: true, ...built } }
    },
  })
