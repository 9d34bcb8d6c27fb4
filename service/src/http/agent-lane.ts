import type { Address } from '@slipway/schema/address'
import { DEFAULT_NETWORK, type Network, NetworkInput } from '@slipway/schema/network'
import type { AgentBook } from '../agents/agent-cache.ts'
import { AGENT_CACHE_CONTROL } from '../agents/get-agent.route.ts'
import { CARD_CACHE_CONTROL } from '../agents/get-agent-card.route.ts'
import type { Lane } from './ingress/ingress.ts'
import { parseQuery } from '../endpoint/parse-url.ts'
import { beginSnapshot } from './response/send-snapshot.ts'

const PREFIX = '/v1/agents/'
const CARD_SUFFIX = '/agent-card.json'
const KNOWN = new Set(['network'])

/** Agents that are in memory and fresh are answered before routing. Everything else goes the ordinary way. */
export function createAgentLane(book: AgentBook): Lane {
  return (request, response, exchange) => {
    const { method, url } = exchange
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith(PREFIX)) return undefined
    const queryAt = url.indexOf('?')
    const path = queryAt === -1 ? url : url.slice(0, queryAt)
    const isCard = path.endsWith(CARD_SUFFIX)
    const network = queryAt === -1 ? DEFAULT_NETWORK : networkOf(url)
    if (!network) return undefined
    const address = path.slice(PREFIX.length, isCard ? -CARD_SUFFIX.length : undefined)
    // Only addresses are in the book, so whatever else stands in the path is not found there.
    const view = book.peek(network, address as Address)
    const snapshot = isCard ? view?.card : view?.detail
    if (!snapshot) return undefined
    exchange.route = isCard ? '/v1/agents/:address/agent-card.json' : '/v1/agents/:address'
    return beginSnapshot(
      request,
      response,
      exchange,
      snapshot,
      isCard ? CARD_CACHE_CONTROL : AGENT_CACHE_CONTROL,
    )
  }
}

function networkOf(url: string): Network | undefined {
  const parsed = NetworkInput.safeParse(parseQuery(url, KNOWN).network)
  return parsed.success ? parsed.data : undefined
}
