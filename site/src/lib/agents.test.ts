import type { AgentPage } from '@slipway/client'
import { expect, test } from 'vitest'
import { describedFirst, readSkills, toListedAgents } from './agents.ts'
import { describeService } from './service-words.ts'

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
