import { expect, test } from 'vitest'
import { EXAMPLE_CARD } from './examples.ts'
import { validateCard } from './validate-card.ts'

const problems = (card: unknown) => validateCard(Buffer.from(JSON.stringify(card)))

test('cards of A2A 0.3 and 1.0 are valid, and may have further fields', () => {
  const { supportedInterfaces, url, protocolVersion, ...common } = EXAMPLE_CARD
  expect(problems({ ...common, supportedInterfaces, anything: [1] })).toEqual([])
  expect(problems({ ...common, url, protocolVersion })).toEqual([])
})

test.each([
  ['invalid JSON', Buffer.from('{"name":'), 'it is not JSON'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'it is not JSON'],
  ['a byte order mark', Buffer.from(`\ufeff${JSON.stringify(EXAMPLE_CARD)}`), 'byte order mark'],
  ['an array', Buffer.from('[]'), 'it is not an object'],
  [
    'JSON that is too deep to be part of the agent',
    Buffer.from(
      JSON.stringify({ ...EXAMPLE_CARD, x: 0 }).replace(
        '"x":0',
        `"x":${'['.repeat(9_999)}${']'.repeat(9_999)}`,
      ),
    ),
    'deeper than 64 levels',
  ],
])('%s is refused with a reason', (_what, body, reason) => {
  expect(validateCard(body).join()).toContain(reason)
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
])('a card with a problem in %s is refused, and the reason names the field', (name, change) => {
  expect(problems({ ...EXAMPLE_CARD, ...change }).join()).toContain(name)
})
