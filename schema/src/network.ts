import { z } from 'zod'
import { DEFAULT_NETWORK, NETWORK_TABLE } from './network-table.ts'

export { DEFAULT_NETWORK }

export const NETWORKS = Object.keys(NETWORK_TABLE) as [Network, ...Network[]]

export const Network = z.enum(NETWORKS)
export type Network = keyof typeof NETWORK_TABLE

/** All of them in a sentence, such as “must be a, b or c”. */
export const ANY_NETWORK = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(NETWORKS)

/** Existing SDK clients send the chain's own names. They are accepted, but never returned. */
const SYNONYMS: Record<string, Network> = Object.fromEntries(
  NETWORKS.map(network => [NETWORK_TABLE[network].synonym, network]),
)

const SYNONYM_LIST = new Intl.ListFormat('en-GB').format(Object.keys(SYNONYMS).map(name => `\`${name}\``))

const replaceSynonym = (value: unknown) => {
  if (value === '') return undefined
  return typeof value === 'string' && Object.hasOwn(SYNONYMS, value) ? SYNONYMS[value] : value
}

/** The same for an endpoint that has no default: absent or empty means all networks that the deployment serves. */
export const NetworkFilter = z.preprocess(replaceSynonym, Network.optional()).meta({
  type: 'string',
  enum: NETWORKS,
  description: 'Only this network; all that the deployment serves by default.',
})

/** `network` as a path segment. */
export const NetworkParam = z.preprocess(replaceSynonym, Network).meta({
  type: 'string',
  enum: NETWORKS,
  description: `The network. The names ${SYNONYM_LIST} are accepted too.`,
  examples: [DEFAULT_NETWORK],
})

/** `network` as callers send it: absent or empty means the default, and the chain's own names are accepted. */
export const NetworkInput = z
  .preprocess(replaceSynonym, Network.optional())
  .transform(network => network ?? DEFAULT_NETWORK)
  .meta({
    type: 'string',
    enum: NETWORKS,
    default: DEFAULT_NETWORK,
    description: `The network; \`${DEFAULT_NETWORK}\` by default. The names ${SYNONYM_LIST}, which existing SDKs send, are accepted too, but never returned.`,
  })
