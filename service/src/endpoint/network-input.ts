import { type Network, NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

type Fields = Record<string, unknown>
type Path = readonly [keyof Sent, ...string[]]

/** What a request has sent: the known parameters of its query, and its body. */
export interface Sent {
  query: Fields
  body: unknown
}

/** Callers may send the network in either place, wherever the endpoint itself takes it. */
const ANYWHERE: readonly Path[] = [
  ['query', 'network'],
  ['body', 'network'],
]

/** The field from which an endpoint takes its network. Undefined if the endpoint has no network or no body. */
export function findNetworkField({ query, body }: Pick<Endpoint, 'query' | 'body'>): Path | undefined {
  if (!body) return undefined
  if (query?.shape.network) return ['query', 'network']
  if (body.shape.network) return ['body', 'network']
  const outer = Object.entries(body.shape).find(
    ([, field]) => field instanceof z.ZodObject && field.shape.network !== undefined,
  )
  return outer && ['body', outer[0], 'network']
}

/** The network of a request that was parsed; undefined if it has no body. */
export function networkIn(endpoint: Pick<Endpoint, 'query' | 'body'>, parsed: Sent): Network | undefined {
  const field = findNetworkField(endpoint)
  return field && (valueAt(parsed, field) as Network | undefined)
}

/** The schemas of query and body as callers see them: with the network in both. */
export function describedInput(endpoint: Pick<Endpoint, 'query' | 'body'>): Pick<Endpoint, 'query' | 'body'> {
  const { query = z.object({}), body } = endpoint
  const [place, ...path] = findNetworkField(endpoint) ?? []
  if (!body || !place) return endpoint
  if (place === 'body') {
    const about = `The same as \`${path.join('.')}\` in the body. Send it in either place.`
    return { body, query: query.extend({ network: describe(about) }) }
  }
  const about = 'The same as `network` in the query. Send it in either place.'
  return { query, body: body.safeExtend({ network: describe(about) }).meta(body.meta() ?? {}) }
}

const describe = (description: string) => NetworkInput.meta({ ...NetworkInput.meta(), description })

/**
 * Moves the network from wherever it was sent to the endpoint's own field. `isAmbiguous` is true if several places have
 * different values; synonyms are equal.
 */
export function moveNetwork(sent: Sent, field: Path): { sent: Sent; isAmbiguous: boolean } {
  const values = [field, ...ANYWHERE].map(path => valueAt(sent, path)).filter(isGiven)
  const [network] = values
  return {
    sent: network === undefined ? sent : (withValue(sent as never, field, network) as never),
    isAmbiguous: values.some(value => parse(value) !== parse(network)),
  }
}

const isGiven = (value: unknown) => value !== undefined && value !== ''
const parse = (value: unknown) => NetworkInput.safeParse(value).data

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((outer, name) => (isFields(outer) ? outer[name] : undefined), value)

/** Leaves an outer value that is not an object as it is, and the schema reports it. */
function withValue(outer: unknown, [name, ...inner]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  return isFields(outer) ? { ...outer, [name]: withValue(outer[name], inner, value) } : outer
}
