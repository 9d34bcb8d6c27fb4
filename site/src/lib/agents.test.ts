import type { AgentPage } from '@slipway/client'
import { expect, test } from 'vitest'
import {
  agentsHref,
  describedFirst,
  describeService,
  parseAgentFilter,
  readSkills,
  toListedAgents,
  toRequest,
} from './agents.ts'
import { isAddress } from './links.ts'

test('agents whose documents can’t be read come last, and the others keep their order', () => {
  const recordOf = (name: string, metadata: object | null) => ({
    ...{ mintAddress: name, name, description: '', image: null, agentToken: null, createdAt: '' },
    ...{ metadata, a2aCard: null, isActive: true, verifiedAt: null, spotlightedAt: null },
  })
  const records = [recordOf('a', null), recordOf('b', {}), recordOf('c', null), recordOf('d', {})]
  const page = { agents: records, total: 4, totalPages: 1 } as unknown as AgentPage
  expect(describedFirst(toListedAgents(page).agents).map(({ name }) => name)).toEqual(['b', 'd', 'a', 'c'])
})

test('only skills that say something new are skills', () => {
  const card = { name: 'Bell', description: 'Rings.' }
  const own = { id: 'agent', ...card }
  expect(readSkills({ ...card, skills: [own] })).toEqual([])
  const ring = { id: 'ring', ...card }
  expect(readSkills({ ...card, skills: [own, ring, 'text'] })).toEqual([ring])
})

test('the names of common services are explained, however they are written', () => {
  expect(describeService('a2a')).toBe(describeService(' A2A '))
  expect(describeService('MCP')).toContain('tools')
  for (const name of ['constructor', 'toString', 'ENS']) expect(describeService(name)).toBeUndefined()
})

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
