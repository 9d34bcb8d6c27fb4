import type { Agent } from '@slipway/client'
import { expect, test } from 'vitest'
import { describeMode } from './parse-card.ts'
import { listWays } from './ways.ts'

test('every address of an agent is listed once, those on its card first', () => {
  const agent = {
    services: [
      { name: 'A2A', endpoint: 'https://a.example/a2a', version: '0.3.0' },
      { name: 'MCP', endpoint: 'https://a.example/mcp', version: '2025-06-18' },
      { name: 'web', endpoint: 'https://a.example' },
      'not a service',
    ],
  } as unknown as Agent
  const onCard = [{ url: 'https://a.example/a2a', binding: 'JSONRPC', version: '1.0' }]
  expect(listWays(agent, onCard)).toEqual([
    { url: 'https://a.example/a2a', name: 'A2A', detail: 'JSONRPC 1.0' },
    { url: 'https://a.example/mcp', name: 'MCP', detail: '2025-06-18' },
    { url: 'https://a.example', name: 'web', detail: '' },
  ])
  expect(listWays(agent, []).map(({ name }) => name)).toEqual(['A2A', 'MCP', 'web'])
})

test('the card of an agent is not a way to reach it', () => {
  const url = 'https://slipway.example/v1/agents/a/agent-card.json'
  const agent = { services: [{ name: 'A2A', endpoint: url }], a2aCard: { url } } as unknown as Agent
  expect(listWays(agent, [])).toEqual([])
  const endpoint = 'https://a.example/a2a'
  const authored = { services: [{ name: 'A2A', endpoint }], a2aCard: { url: endpoint } } as unknown as Agent
  expect(listWays(authored, []).map(({ url }) => url)).toEqual([endpoint])
})

test('kinds of content are named as people call them', () => {
  expect(['text/plain', 'Application/JSON', 'image/png', 'text', 'model/gltf'].map(describeMode)).toEqual([
    ...['Text', 'JSON', 'Pictures', 'Text', 'model/gltf'],
  ])
})
