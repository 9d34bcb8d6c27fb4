import type { Agent } from '@slipway/client'
import { expect, test } from 'vitest'
import { describeDetails, isSameCard, listCardChanges, parseCardText } from './card-text.ts'

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

test('a card that says the same as the current one is recognised', () => {
  const agent = { a2aCard: { name: 'Patchbot', version: '1', signatures: [{}] } } as unknown as Agent
  expect(isSameCard(agent, { version: '1', name: 'Patchbot' })).toBe(true)
  expect(isSameCard(agent, { version: '2', name: 'Patchbot' })).toBe(false)
  expect(isSameCard(agent, { name: 'Patchbot' })).toBe(false)
  expect(isSameCard({ a2aCard: null } as unknown as Agent, {})).toBe(false)
})

test('a card with a URL that is not a web address is refused, with its place', () => {
  const faultOf = (card: object) => parseCardText(JSON.stringify(card))
  const end = 'must be an address that starts with https:// or http://.'
  expect(faultOf({ url: 'javascript:1' })).toEqual({ fault: `\`url\` ${end}` })
  const urls = ['https://agents.example/a2a', 'data:,x'].map(url => ({ url }))
  expect(faultOf({ supportedInterfaces: urls })).toEqual({
    fault: `\`supportedInterfaces[1].url\` ${end}`,
  })
  const card = { url: 'HTTP://agents.example', additionalInterfaces: urls.slice(0, 1) }
  expect(faultOf(card)).toEqual({ card })
})

test('faults of a card are sentences', () => {
  expect(describeDetails([{ path: 'card.skills.0.name', message: 'is required' }])).toBe(
    '`skills[0].name` is required.',
  )
  expect(parseCardText(JSON.stringify({ name: 'a'.repeat(300_000) }))).toEqual({
    fault: 'It is 293 KiB; at most 63 KiB are allowed.',
  })
})
