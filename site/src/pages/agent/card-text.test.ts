import type { Agent } from '@slipway/client'
import { expect, test } from 'vitest'
import { listCardChanges } from './card-text.ts'

test('the name and all fields that differ are listed, also where a summary looks the same', () => {
  const card = { name: 'Patchbot', version: '1', skills: [{ id: 'a', name: 'Tie knots' }], signatures: [{}] }
  const agent = { a2aCard: card } as unknown as Agent
  const { signatures: _, ...unsigned } = card
  const name = { name: 'Name', before: 'Patchbot', after: 'Patchbot', isChanged: false }
  expect(listCardChanges(agent, unsigned)).toEqual([name])
  const skills = [{ id: 'b', name: 'Tie knots' }]
  expect(listCardChanges(agent, { ...unsigned, skills, constructor: 1 })).toEqual([
    name,
    { name: 'Skills', before: 'Tie knots', after: 'Tie knots', isChanged: true },
    { name: 'constructor', before: undefined, after: '1', isChanged: true },
  ])
  expect(listCardChanges({ a2aCard: null } as unknown as Agent, { name: 'New' })).toEqual([
    { name: 'Name', before: undefined, after: 'New', isChanged: true },
  ])
})
