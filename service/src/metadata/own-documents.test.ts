import { expect, test } from 'vitest'
import { findOwnPath } from './own-documents.ts'

const pathOf = (own: string, url: string) => findOwnPath({ url: own }, new URL(url))

test.each([
  ['https://api.example', 'https://api.example/v1/agents/x', '/v1/agents/x'],
  ['https://api.example', 'https://API.example:443/v1/a?network=b', '/v1/a?network=b'],
  ['https://api.example', 'http://api.example/v1/a', '/v1/a'],
  ['https://api.example', 'https://api.example./v1/a', '/v1/a'],
  ['http://localhost:8080', 'http://localhost:8080/', '/'],
  ['https://example.com/slipway', 'https://example.com/slipway/v1/a', '/v1/a'],
  ['https://example.com/slipway', 'https://example.com/slipway/../slipway/v1/a', '/v1/a'],
])('with the base %s, %s is ours', (own, url, path) => {
  expect(pathOf(own, url)).toBe(path)
})

test.each([
  ['https://api.example', 'https://www.api.example/v1/a'],
  ['https://api.example', 'https://api.example:8443/v1/a'],
  ['http://localhost:8080', 'http://localhost/v1/a'],
  ['http://localhost:8080', 'http://localhost:8081/v1/a'],
  ['https://example.com/slipway', 'https://example.com/v1/a'],
  ['https://example.com/slipway', 'https://example.com/slipways'],
  ['https://example.com/slipway', 'https://example.com/slipway/../v1/a'],
])('with the base %s, %s is not ours', (own, url) => {
  expect(pathOf(own, url)).toBeUndefined()
})

test('a URL below a former public URL is ours too', () => {
  const own = { url: 'https://api.example', previousUrls: ['http://localhost:8080', 'https://old.example/x'] }
  expect(findOwnPath(own, new URL('https://api.example/v1/a'))).toBe('/v1/a')
  expect(findOwnPath(own, new URL('http://localhost:8080/v1/a?b'))).toBe('/v1/a?b')
  expect(findOwnPath(own, new URL('https://old.example/x/v1/a'))).toBe('/v1/a')
  expect(findOwnPath(own, new URL('https://old.example/v1/a'))).toBeUndefined()
})
