import { expect, test } from 'vitest'
import { agentsHref, parseAgentFilter, toRequest } from './agent-filter.ts'
import { isAddress } from './is-address.ts'

const NETWORKS = ['chain-mainnet', 'chain-devnet']
const parse = (search: string) => parseAgentFilter(new URLSearchParams(search), NETWORKS)

test('a filter and its address say the same', () => {
  const href = '/agents?network=chain-devnet&q=tide+%26+sea&filter=active%2Cverified&sort=oldest&page=3'
  const filter = parse(href.slice('/agents?'.length))
  expect(agentsHref(filter, NETWORKS)).toBe(href)
  expect(toRequest(filter)).toEqual({
    network: 'chain-devnet',
    query: 'tide & sea',
    activeOnly: true,
    verified: true,
    sort: 'oldest',
    page: 3,
    pageSize: 24,
  })
})

test('values that mean nothing are ignored', () => {
  expect(agentsHref(parse('network=x&filter=evil,__proto__&sort=up&page=-4&q=++'), NETWORKS)).toBe('/agents')
  expect(parse('page=1e99').page).toBe(1)
  expect(parse('page=99999999').page).toBe(10_000)
})

test('an address has 32 bytes', () => {
  expect(isAddress('So11111111111111111111111111111111111111112')).toBe(true)
  expect(isAddress('1'.repeat(32))).toBe(true)
  for (const text of ['', '1'.repeat(33), 'z'.repeat(44), 'So1111111111111111111111111111111111111111O'])
    expect(isAddress(text)).toBe(false)
})
