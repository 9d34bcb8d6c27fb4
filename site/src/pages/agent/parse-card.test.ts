import { expect, test } from 'vitest'
import { parseCard } from './parse-card.ts'

test('the usable parts of a card are shown, whatever else it contains', () => {
  const card = parseCard({
    version: 7,
    supportedInterfaces: [null, { url: 5 }, { url: 'https://a.example', transport: 'GRPC' }],
    skills: [
      'text',
      { id: 'one' },
      { name: 'Recall', description: 'Recall.', tags: ['a', 1, ''] },
      { name: 'x'.repeat(500) },
    ],
    capabilities: { streaming: true, pushNotifications: 'yes', constructor: true },
    provider: { organization: 'Harbour', url: 'javascript:alert(1)' },
    defaultInputModes: 'text/plain',
  })
  expect(card).toMatchObject({
    version: undefined,
    interfaces: [{ url: 'https://a.example', binding: 'GRPC', version: undefined }],
    inputModes: [],
    capabilities: ['Streaming'],
    provider: { name: 'Harbour' },
  })
  expect(card.skills.map(({ name }) => name)).toEqual(['one', 'Recall', `${'x'.repeat(119)}…`])
  expect(card.skills[1]).toMatchObject({ description: undefined, tags: ['a'] })
})

test('an older card has its endpoint at the top level', () => {
  const others = [{ url: 'https://a.example/rpc', transport: 'JSONRPC' }, { url: 'https://a.example/grpc' }]
  const { interfaces } = parseCard({
    url: 'https://a.example/rpc',
    preferredTransport: 'JSONRPC',
    protocolVersion: '0.3.0',
    additionalInterfaces: others,
  })
  expect(interfaces).toEqual([
    { url: 'https://a.example/rpc', binding: 'JSONRPC', version: '0.3.0' },
    { url: 'https://a.example/grpc', binding: undefined, version: '0.3.0' },
  ])
  expect(parseCard({ url: 'https://a.example/card.json' }).interfaces).toEqual([])
})
