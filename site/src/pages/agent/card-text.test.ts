import type { Agent } from '@slipway/client'
import { expect, test } from 'vitest'
import {
  describeDetails,
  isOwnCard,
  isSameCard,
  listCardChanges,
  parseCardText,
  startCard,
} from './card-text.ts'

test('the name and all fields that differ are listed, even if a summary looks the same', () => {
  const card = { name: 'Patchbot', version: '1', skills: [{ id: 'a', name: 'Tie knots' }], signatures: [{}] }
  const { signatures: _, ...unsigned } = card
  const name = { name: 'Name', before: 'Patchbot', after: 'Patchbot', isChanged: false }
  expect(listCardChanges(card, unsigned)).toEqual([name])
  const skills = [{ id: 'b', name: 'Tie knots' }]
  expect(listCardChanges(card, { ...unsigned, skills, constructor: 1 })).toEqual([
    name,
    { name: 'Skills', before: 'Tie knots', after: 'Tie knots', isChanged: true },
    { name: 'constructor', before: undefined, after: '1', isChanged: true },
  ])
  expect(listCardChanges(null, { name: 'New' })).toEqual([
    { name: 'Name', before: undefined, after: 'New', isChanged: true },
  ])
})

test('a card that says the same as the current one is recognised', () => {
  const card = { name: 'Patchbot', version: '1', signatures: [{}] }
  expect(isSameCard(card, { version: '1', name: 'Patchbot' })).toBe(true)
  expect(isSameCard(card, { version: '2', name: 'Patchbot' })).toBe(false)
  expect(isSameCard(card, { name: 'Patchbot' })).toBe(false)
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

test('a card is its owner’s own unless the service has built it', () => {
  const at = { publicUrl: 'https://slipway.example', signsCards: true }
  const isOwn = (card: object | null, signsCards = true) =>
    isOwnCard({ a2aCard: card } as Agent, { ...at, signsCards })
  const built = { url: 'https://slipway.example/v1/agents/a/agent-card.json' }
  expect(isOwn(null)).toBe(false)
  expect(isOwn({ name: 'Tidewatch' })).toBe(true)
  expect(isOwn({ url: 'https://tidewatch.example/a2a' })).toBe(true)
  expect(isOwn({ ...built, signatures: [{}] })).toBe(false)
  expect(isOwn(built)).toBe(true)
  expect(isOwn(built, false)).toBe(false)
  // An owner who edits the service's card starts without its URL, so that the new card is recognised as theirs.
  const begun = startCard({ a2aCard: { ...built, name: 'Tidewatch' } } as unknown as Agent, at.publicUrl)
  expect(begun).toEqual({ name: 'Tidewatch' })
  expect(isOwn(begun, false)).toBe(true)
})
