import { AgentCard } from '@slipway/schema/agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRegistrationDocument } from '../metadata/formats/registration-document.ts'
import { parseEndpointCard } from './endpoint-card.ts'
import { findCardEndpoint, synthesiseCard } from './synthesise-card.ts'

const gateways = { ipfsGateway: 'https://ipfs.example/', arweaveGateway: 'https://ar.example/' }
const registration = (document: object) => parseRegistrationDocument(document as never, gateways)
const base = {
  url: 'https://slipway.example/v1/agents/x/agent-card.json',
  name: 'Tidewatch',
  description: 'Tides.',
  image: undefined,
  endpointCard: undefined,
}

test('interfaces and skills come from the A2A services of the registration', () => {
  const card = synthesiseCard({
    ...base,
    image: 'https://images.example/tide.png',
    registration: registration({
      services: [
        {
          name: 'a2a',
          endpoint: 'https://agents.example/a2a',
          version: '1.0',
          skills: [{ id: 'forecast', name: 'Forecast', tags: ['weather'] }, 'warn'],
        },
        { name: 'MCP', endpoint: 'https://agents.example/mcp', skills: ['not a skill of A2A'] },
        { name: 'A2A', endpoint: 'did:web:agents.example', skills: ['nowhere on the web'] },
      ],
    }),
  })
  const expected = {
    url: 'https://agents.example/a2a',
    protocolBinding: 'JSONRPC',
    protocolVersion: '1.0',
    transport: 'JSONRPC',
  }
  expect(card).toEqual({
    name: 'Tidewatch',
    description: 'Tides.',
    url: base.url,
    version: '1.0.0',
    protocolVersion: '1.0',
    supportedInterfaces: [expected],
    additionalInterfaces: [expected],
    iconUrl: 'https://images.example/tide.png',
    capabilities: { streaming: false },
    skills: [
      { id: 'forecast', name: 'Forecast', description: 'Forecast', tags: ['weather'] },
      { id: 'warn', name: 'warn', description: 'warn', tags: ['warn'] },
    ],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
  })
})

test('without an A2A service the card has no interface, and one skill', () => {
  const card = synthesiseCard({ ...base, description: '', registration: registration({ services: [] }) })
  expect(card).not.toHaveProperty('supportedInterfaces')
  expect(card.description).toBe('Tidewatch')
  expect(card.skills).toEqual([{ id: 'agent', name: 'Tidewatch', description: 'Tidewatch', tags: ['agent'] }])
})

test('an endpoint that is itself a card provides the interfaces, skills and modes, but no signatures', () => {
  const named = registration({
    services: [{ name: 'A2A', endpoint: 'https://agents.example/.well-known/agent-card.json' }],
  })
  expect(findCardEndpoint(named)).toBe('https://agents.example/.well-known/agent-card.json')
  const card = synthesiseCard({
    ...base,
    registration: named,
    endpointCard: parseEndpointCard({
      url: 'https://agents.example/rpc',
      preferredTransport: 'HTTP+JSON',
      protocolVersion: '0.3.0',
      version: '2.1.0',
      additionalInterfaces: [{ url: 'javascript:alert(1)', transport: 'JSONRPC' }],
      capabilities: { streaming: true },
      provider: { organization: 'Harbour', url: 'https://harbour.example' },
      skills: [{ id: 'dredge', name: 'Dredge', description: 'Dredges.', tags: [] }],
      defaultInputModes: ['audio/ogg'],
      signatures: [{ protected: 'e30', signature: 'AAAA' }],
    }),
  })
  expect(card).not.toHaveProperty('signatures')
  expect(card).toMatchObject({
    version: '2.1.0',
    supportedInterfaces: [
      { url: 'https://agents.example/rpc', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3.0' },
    ],
    capabilities: { streaming: true },
    provider: { organization: 'Harbour', url: 'https://harbour.example' },
    skills: [{ id: 'dredge', name: 'Dredge', description: 'Dredges.', tags: ['dredge'] }],
    defaultInputModes: ['audio/ogg'],
    defaultOutputModes: ['text/plain'],
  })
  expect(card.supportedInterfaces).toHaveLength(1)
})

test('the interfaces of an endpoint’s card are parsed in the format of either version', () => {
  const { interfaces } = parseEndpointCard({
    // The URL of the card itself, as in ours: not an interface.
    url: 'https://agents.example/agent-card.json',
    protocolVersion: '0.3.1',
    additionalInterfaces: [{ url: 'https://agents.example/rest', transport: 'HTTP+JSON' }],
    supportedInterfaces: [
      { url: 'https://agents.example/rpc', protocolBinding: 'GRPC', transport: 'x', protocolVersion: '1.0' },
    ],
  })
  expect(interfaces).toEqual([
    {
      url: 'https://agents.example/rpc',
      protocolBinding: 'GRPC',
      protocolVersion: '1.0',
      transport: 'GRPC',
    },
    {
      url: 'https://agents.example/rest',
      protocolBinding: 'HTTP+JSON',
      protocolVersion: '0.3.1',
      transport: 'HTTP+JSON',
    },
  ])
})

test('duplicate interfaces and skills appear once, and their number is bounded', () => {
  const service = (at: number) => ({
    name: 'A2A',
    endpoint: `https://agents.example/${at}`,
    skills: Array.from({ length: 30 }, (_, number) => `skill ${at} ${number}`),
  })
  const few = synthesiseCard({ ...base, registration: registration({ services: [service(1), service(1)] }) })
  expect(few.supportedInterfaces).toHaveLength(1)
  expect(few.skills).toHaveLength(30)
  const services = Array.from({ length: 40 }, (_, at) => service(at))
  const many = synthesiseCard({ ...base, registration: registration({ services }) })
  expect([many.supportedInterfaces?.length, many.skills.length]).toEqual([16, 64])
})

test('a skill in both the registration and the endpoint’s card appears once, as the card describes it', () => {
  const endpoint = 'https://agents.example/card.json'
  const skill = (id: string, name: string) => ({ id, name, description: `${name}.`, tags: ['tide'] })
  const card = synthesiseCard({
    ...base,
    registration: registration({
      services: [{ name: 'A2A', endpoint, skills: [skill('forecast', 'Registered'), skill('warn', 'Warn')] }],
    }),
    endpointCard: parseEndpointCard({ skills: [skill('dredge', 'Dredge'), skill('forecast', 'Hosted')] }),
  })
  expect(card.skills).toEqual([skill('forecast', 'Hosted'), skill('warn', 'Warn'), skill('dredge', 'Dredge')])
})

test('a large card of an endpoint is parsed, and only the used parts are kept', () => {
  const skills = Array.from({ length: 500 }, (_, at) => ({
    id: `skill-${at}`,
    name: 'x'.repeat(10_000),
    examples: ['never used'],
  }))
  const read = parseEndpointCard({
    supportedInterfaces: [{ url: 'https://agents.example/rpc', protocolBinding: 'JSONRPC' }],
    additionalInterfaces: [{ url: `https://agents.example/${'x'.repeat(2_048)}` }, 7, null],
    skills,
    documentation: 'x'.repeat(500_000),
  })
  expect(read.interfaces).toMatchObject([{ url: 'https://agents.example/rpc', protocolVersion: '0.3.0' }])
  expect(read.skills).toHaveLength(64)
  expect(JSON.stringify(read).length).toBeLessThan(30_000)
})

test('any registration and endpoint card give a valid card, and the same one each time', () => {
  fc.assert(
    fc.property(
      fc.object({ key: fc.constantFrom('services', 'name', 'endpoint', 'skills', 'tags') }),
      fc.object(),
      (document, card) => {
        const source = {
          ...base,
          registration: registration(JSON.parse(JSON.stringify({ services: [document], ...document }))),
          endpointCard: parseEndpointCard(JSON.parse(JSON.stringify(card))),
        }
        const made = synthesiseCard(source)
        expect(AgentCard.safeParse(made).success).toBe(true)
        expect(JSON.stringify(synthesiseCard(source))).toBe(JSON.stringify(made))
      },
    ),
  )
})
