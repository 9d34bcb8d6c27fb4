import { type Address, describedAddress } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { DEFAULT_NETWORK, type Network, NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { createUrlParser } from '../endpoint/parse-url.ts'

export const AGENTS_PATH = '/v1/agents'
export const AGENT_PATH = '/v1/agents/{address}'
export const CARD_PATH = `${AGENT_PATH}/agent-card.json` as const
export const WELL_KNOWN_CARD_PATH = `${AGENT_PATH}/.well-known/agent-card.json` as const
export const WITHDRAW_PATH = `${AGENT_PATH}/withdraw` as const
export const FUND_PATH = `${AGENT_PATH}/fund` as const
export const MINT_PATH = '/v1/agents/mint'
/** The keys that sign cards. */
export const JWKS_PATH = '/.well-known/jwks.json'

export const AgentParams = z.object({
  address: describedAddress("The agent's address: that of its asset.", EXAMPLE_ADDRESSES.agent),
})
export const AgentQuery = z.object({ network: NetworkInput })

/** The public URL of an agent's card. */
export function cardUrl(publicUrl: string, network: Network, address: Address): string {
  const query = network === DEFAULT_NETWORK ? '' : `?network=${network}`
  return `${publicUrl}${CARD_PATH.replace('{address}', address)}${query}`
}

/** Parses a path with its query as the card's own endpoint does. Undefined unless it is the URL of a card. */
export const parseCardUrl = createUrlParser({ path: CARD_PATH, params: AgentParams, query: AgentQuery })
export const parseWellKnownCardUrl = createUrlParser({
  path: WELL_KNOWN_CARD_PATH,
  params: AgentParams,
  query: AgentQuery,
})
