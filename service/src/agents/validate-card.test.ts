import { expect, test } from 'vitest'
import { EXAMPLE_CARD } from './examples.ts'
import { faultsOfCard } from './validate-card.ts'

const faults = (card: unknown) => faultsOfCard(Buffer.from(JSON.stringify(card)))

test('cards of A2A 0.3 and 1.0 have no fault, whatever else stands in them', () => {
  const { supportedInterfaces, url, protocolVersion, ...common } = EXAMPLE_CARD
  expect(faults({ ...common, supportedInterfaces, anything: [1] })).toEqual([])
  expect(faults({ ...common, url, protocolVersion })).toEqual([])
})

test.each([
  ['no JSON', Buffer.from('{"name":'), 'it is not JSON'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'it is not JSON'],
  ['a byte order mark', Buffer.from(`\ufeff${JSON.stringify(EXAMPLE_CARD)}`), 'byte order mark'],
  ['a list', Buffer.from('[]'), 'the whole: it is not an object'],
  [
    'one that is too deep to be printed as part of the agent',
    Buffer.from(
      JSON.stringify({ ...EXAMPLE_CARD, x: 0 }).replace(
        '"x":0',
        `"x":${'['.repeat(9_999)}${']'.repeat(9_999)}`,
      ),
    ),
    'deeper than 64 levels',
  ],
])('%s is refused with the reason', (_what, body, reason) => {
  expect(faultsOfCard(body).join()).toContain(reason)
})

test.each([
  ['name', { name: '' }],
  ['skills', { skills: [] }],
  ['skills.0.tags', { skills: [{ id: 'a', name: 'b', description: 'c', tags: [] }] }],
  ['capabilities', { capabilities: undefined }],
  ['defaultInputModes', { defaultInputModes: [] }],
  ['supportedInterfaces', { supportedInterfaces: undefined, protocolVersion: undefined }],
  ['supportedInterfaces', { supportedInterfaces: [], url: '' }],
  ['supportedInterfaces', { supportedInterfaces: [], protocolVersion: '' }],
  ['supportedInterfaces.0.protocolBinding', { supportedInterfaces: [{ url: 'https://a.example' }] }],
  [
    'supportedInterfaces.1.protocolVersion',
    {
      supportedInterfaces: [
        ...(EXAMPLE_CARD.supportedInterfaces ?? []),
        { url: 'https://a.example', protocolBinding: 'GRPC' },
      ],
    },
  ],
])('a card with a fault in %s is refused, and the reason names it', (name, change) => {
  expect(faults({ ...EXAMPLE_CARD, ...change }).join()).toContain(name)
})
