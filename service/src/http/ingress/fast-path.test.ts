import { NetworkInput } from '@slipway/schema/network'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createSnapshot, defineEndpoint, type Endpoint } from '../../endpoint/endpoint.ts'
import { routesOf } from '../../testing/routes-of.ts'
import { createFastPath } from './fast-path.ts'

/** Has an answer for every word except `absent`. */
const words = (parts: Partial<Endpoint> = {}): Endpoint => ({
  ...defineEndpoint({
    method: 'GET',
    path: '/v1/words/{word}/text.json',
    id: 'getWord',
    tag: 'Operations',
    summary: 'Get a word',
    description: 'A word.',
    params: z.object({ word: z.string().max(8) }),
    query: z.object({ network: NetworkInput }),
    faults: {},
    success: { description: 'The word.', schema: z.object({}), example: {} },
    errors: [],
    prepared({ params, query }) {
      if (params.word === 'absent') return undefined
      const bytes = Buffer.from(`${params.word} on ${query.network}`)
      return { kind: 'prepared', snapshot: createSnapshot(bytes), cacheControl: 'no-cache' }
    },
    answer: () => {
      throw new Error('the request was routed')
    },
  }),
  ...parts,
})

const textOf = (found: ReturnType<ReturnType<typeof createFastPath>>) =>
  found.answer && `${found.answer.snapshot.identity.parts[0]} at ${found.route?.name}`

test('a GET or HEAD gets the prepared answer for its own path and query, each time', () => {
  const find = createFastPath(routesOf(words()))
  for (let times = 0; times < 2; times += 1) {
    expect(textOf(find('GET', '/v1/words/tide/text.json'))).toBe(
      'tide on chain-mainnet at /v1/words/:word/text.json',
    )
    expect(textOf(find('HEAD', '/v1/words/ebb/text.json?x=1&network=chain-devnet'))).toBe(
      'ebb on chain-devnet at /v1/words/:word/text.json',
    )
  }
})

test.each([
  ['another method', 'POST', '/v1/words/tide/text.json'],
  ['an unknown path', 'GET', '/v1/words/tide'],
  ['a longer path', 'GET', '/v1/words/tide/more/text.json'],
  ['a dot that is another character', 'GET', '/v1/words/tide/textxjson'],
  ['a path that was not decoded', 'GET', '/v1/words/%2574ide/text.json'],
  ['an invalid path parameter', 'GET', '/v1/words/tidewaters/text.json'],
  ['an invalid query parameter', 'GET', '/v1/words/tide/text.json?network=moonnet'],
  ['a repeated query parameter', 'GET', '/v1/words/tide/text.json?network=&network=chain-devnet'],
  ['no prepared answer', 'GET', '/v1/words/absent/text.json'],
])('a request with %s is routed', (_what, method, url) => {
  expect(createFastPath(routesOf(words()))(method, url).answer).toBeUndefined()
})

test('an endpoint without prepared answers, a POST endpoint and a reserved name are routed', () => {
  const { prepared: _, ...plain } = words()
  const url = '/v1/words/tide/text.json'
  for (const endpoint of [plain, words({ method: 'POST' }), words({ reserved: ['text.json'] })])
    expect(createFastPath(routesOf(endpoint))('GET', url).answer).toBeUndefined()
})

test('the answer is looked up for every request, even if its URL is known', () => {
  let current = 'before'
  const endpoint = words({
    prepared: () => ({
      kind: 'prepared',
      snapshot: createSnapshot(Buffer.from(current)),
      cacheControl: 'no-cache',
    }),
  })
  const find = createFastPath(routesOf(endpoint))
  const url = '/v1/words/tide/text.json'
  expect(textOf(find('GET', url))).toContain('before')
  current = 'after'
  expect(textOf(find('GET', url))).toContain('after')
})
