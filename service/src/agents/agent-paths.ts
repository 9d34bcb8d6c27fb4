import { type Address, describedAddress } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { DEFAULT_NETWORK, type Network, NetworkInput, NetworkParam } from '@slipway/schema/network'
import { createPathTable } from '@slipway/schema/path-table'
import { z } from 'zod'
import { parseUrl, pathOf, routeOf } from '../endpoint/parse-url.ts'

export const AGENTS_PATH = '/v1/agents'
export const AGENT_PATH = '/v1/agents/{address}'
export const CARD_PATH = `${AGENT_PATH}/agent-card.json` as const
export const WELL_KNOWN_CARD_PATH = `${AGENT_PATH}/.well-known/agent-card.json` as const
/** The same with the network in the path, because A2A clients drop the query of an agent's URL. */
export const NETWORK_AGENT_PATH = '/v1/networks/{network}/agents/{address}'
export const NETWORK_CARD_PATH = `${NETWORK_AGENT_PATH}/agent-card.json` as const
export const NETWORK_WELL_KNOWN_CARD_PATH = `${NETWORK_AGENT_PATH}/.well-known/agent-card.json` as const
export const WITHDRAW_PATH = `${AGENT_PATH}/withdraw` as const
export const FUND_PATH = `${AGENT_PATH}/fund` as const
export const WALLET_PATH = `${AGENT_PATH}/wallet` as const
export const DELEGATES_PATH = `${AGENT_PATH}/delegates` as const
export const DELEGATE_PATH = `${AGENT_PATH}/delegate` as const
export const REVOKE_PATH = `${AGENT_PATH}/revoke` as const
export const REGISTER_EXECUTIVE_PATH = '/v1/executives/register'
export const MINT_PATH = '/v1/agents/mint'
/** The keys that sign cards. */
export const JWKS_PATH = '/.well-known/jwks.json'

export const AgentParams = z.object({
  address: describedAddress("The agent's address: that of its asset.", EXAMPLE_ADDRESSES.agent),
})
export const AgentQuery = z.object({ network: NetworkInput })
export const NetworkAgentParams = z.object({ network: NetworkParam, ...AgentParams.shape })

/** The public URL of an agent's card. */
export function cardUrl(publicUrl: string, network: Network, address: Address): string {
  const path = network === DEFAULT_NETWORK ? CARD_PATH : NETWORK_CARD_PATH.replace('{network}', network)
  return `${publicUrl}${path.replace('{address}', address)}`
}

const OF_ANY_NETWORK = { params: AgentParams, query: AgentQuery }
const OF_ONE_NETWORK = { params: NetworkAgentParams }
const CARDS = createPathTable<typeof OF_ANY_NETWORK | typeof OF_ONE_NETWORK>([
  [routeOf(CARD_PATH), OF_ANY_NETWORK],
  [routeOf(WELL_KNOWN_CARD_PATH), OF_ANY_NETWORK],
  [routeOf(NETWORK_CARD_PATH), OF_ONE_NETWORK],
  [routeOf(NETWORK_WELL_KNOWN_CARD_PATH), OF_ONE_NETWORK],
])

/** Parses a path with its query as the card endpoints do. Undefined unless it is a card's URL. */
export function parseCardUrl(url: string): { network: Network; address: Address } | undefined {
  const found = CARDS.find(pathOf(url), () => true)
  const parsed = found && parseUrl(found.value, url, found.params)
  return parsed && ({ ...parsed.params, ...parsed.query } as { network: Network; address: Address })
}

/** Whether a path is this agent's path or below it. */
export function isBelowAgent(path: string, network: Network, address: Address): boolean {
  const [, name, rest] = /^\/v1\/networks\/([^/]+)(\/agents\/.*)$/.exec(path) ?? []
  if (name !== undefined)
    return NetworkParam.safeParse(name).data === network && isBelow(`/v1${rest}`, address)
  return isBelow(path, address)
}

function isBelow(path: string, address: Address): boolean {
  const agent = AGENT_PATH.replace('{address}', address)
  return path === agent || path.startsWith(`${agent}/`) || path.startsWith(`${agent}?`)
}
