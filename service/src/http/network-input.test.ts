import { ERRORS, type ServiceError } from '@slipway/schema/errors'
import { DEFAULT_NETWORK } from '@slipway/schema/network'
import { expect, test } from 'vitest'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { DESCRIBED_ENDPOINTS, exampleParams } from '../testing/described-endpoints.ts'
import { createInputParser } from './mount-endpoint.ts'

type Json = Record<string, unknown>

/**
 * Every endpoint that takes a body and a network. The endpoint itself expects the network in the body or in the
 * query.
 */
const ENDPOINTS = DESCRIBED_ENDPOINTS.filter(
  ({ body, tag }) => body && !['Social', 'Discovery'].includes(tag),
)

const ownPlace = ({ query, body }: Endpoint) => {
  if (query?.shape.network) return 'query'
  return body?.shape.network ? 'body' : 'launch'
}

/** Parses the endpoint's own example with these networks. `undefined` leaves a network out. */
function networkOf(endpoint: Endpoint, sent: { query?: string; body?: unknown; launch?: unknown }): unknown {
  const [example] = (endpoint.body?.meta()?.examples ?? []) as Json[]
  const { network: _, ...rest } = structuredClone(example) as Json
  const launch = { ...(rest.launch as Json), ...('launch' in sent && { network: sent.launch }) }
  const body = { ...rest, ...(rest.launch ? { launch } : {}), ...('body' in sent && { network: sent.body }) }
  const params = exampleParams(endpoint)
  const url = endpoint.path + (sent.query === undefined ? '' : `?network=${sent.query}`)
  try {
    const input = createInputParser(endpoint)({ url, params, body }) as Record<'query' | 'body', Json>
    const place = ownPlace(endpoint)
    return place === 'launch' ? (input.body.launch as Json).network : input[place].network
  } catch (error) {
    const { code, details } = error as ServiceError
    return details ? [code, details.map(({ path }) => path)] : code
  }
}

test('every endpoint with a body names its network in one field of its own', () => {
  expect(ENDPOINTS.map(({ id, query, body }) => [id, ownPlace({ query, body } as Endpoint)])).toEqual([
    ['mintAgent', 'body'],
    ['fundAgent', 'body'],
    ['withdrawFromAgent', 'body'],
    ['delegateAgent', 'body'],
    ['revokeDelegate', 'body'],
    ['registerExecutive', 'body'],
    ['replaceAgentCard', 'query'],
    ['removeAgentCard', 'query'],
    ['swap', 'body'],
    ['depositInLaunch', 'body'],
    ['withdrawFromLaunch', 'body'],
    ['claimFromLaunch', 'body'],
    ['graduateLaunch', 'body'],
    ['createLaunch', 'launch'],
    ['registerLaunch', 'body'],
    ['changeLaunchLinks', 'query'],
    ['claimCreatorRewards', 'body'],
  ])
})

test.each(ENDPOINTS)('$id takes the network from the query or the body', endpoint => {
  expect(networkOf(endpoint, {})).toBe(DEFAULT_NETWORK)
  for (const sent of [
    { query: 'chain-devnet' },
    { body: 'chain-devnet' },
    { query: 'solana-devnet', body: 'chain-devnet' },
    { query: 'chain-devnet', body: 'solana-devnet' },
    { query: 'chain-devnet', body: '' },
    { query: '', body: 'chain-devnet' },
  ])
    expect([sent, networkOf(endpoint, sent)]).toEqual([sent, 'chain-devnet'])
})

test.each(ENDPOINTS)('$id refuses two different networks, and an invalid one in either place', endpoint => {
  const invalid = networkOf(endpoint, { [ownPlace(endpoint)]: 'moonnet' })
  const code = [invalid].flat()[0] as keyof typeof ERRORS
  expect(ERRORS[code].status).toBe(400)
  for (const sent of [
    { query: 'chain-devnet', body: 'chain-mainnet' },
    { query: 'chain-mainnet', body: 'solana-devnet' },
    { query: 'chain-devnet', body: 'moonnet' },
    { query: 'moonnet', body: 'chain-devnet' },
    { query: 'moonnet' },
    { body: 'moonnet' },
    { body: null },
    { body: ['chain-devnet'] },
    { query: 'chain-devnet&network=chain-devnet' },
  ])
    expect([sent, networkOf(endpoint, sent)]).toEqual([sent, invalid])
})

test('a launch to be created can name the network in all three places', () => {
  const [create] = ENDPOINTS.filter(({ id }) => id === 'createLaunch') as [Endpoint]
  expect(networkOf(create, { query: 'chain-devnet', body: 'solana-devnet', launch: 'chain-devnet' })).toBe(
    'chain-devnet',
  )
  for (const sent of [
    { query: 'chain-devnet', launch: 'chain-mainnet' },
    { body: 'chain-devnet', launch: 'solana-mainnet' },
  ])
    expect(networkOf(create, sent)).toEqual(['VALIDATION_FAILED', ['launch.network']])
})

test('a registration ignores a network inside its launch', () => {
  const [register] = ENDPOINTS.filter(({ id }) => id === 'registerLaunch') as [Endpoint]
  expect(networkOf(register, { query: 'chain-devnet', launch: 'solana-mainnet' })).toBe('chain-devnet')
})
