import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import {
  budgetOf,
  createProxyTrust,
  hasPlainHeaders,
  limitKey,
  normalizeUrl,
  parseAddress,
} from './read-request.ts'

test('reads, writes, health checks and preflights have a budget each', () => {
  const budgets = [
    ['reads', ['GET', 'HEAD'], ['/v1/launches', '/nowhere', '/readyz?for=x']],
    ['writes', ['POST', 'PUT', 'PATCH', 'DELETE'], ['/v1/launches', '/healthz']],
    ['checks', ['GET', 'HEAD'], ['/healthz', '/readyz', '/readyz?for=reads', '/metrics']],
    ['preflights', ['OPTIONS'], ['/v1/launches', '/healthz', '/nowhere']],
    ['reads', ['POST'], ['/mcp', '/ard/search', '/ard/explore']],
  ] as const
  for (const [budget, methods, urls] of budgets)
    for (const method of methods)
      for (const url of urls) expect([method, url, budgetOf(method, url)]).toEqual([method, url, budget])
})

test('reads that call the RPC have a budget of their own', () => {
  for (const url of [
    '/v1/launches/x/quote?side=buy',
    '/v1/launches/x/positions/y',
    '/v1/launches/x/holders',
    '/v1/launches/x/positions/y?network=z',
    '/v1/wallets/x',
    '/v1/wallets/x?positions=y',
    '/wallets/x?network=z',
    '/rewards/x',
  ])
    expect([url, budgetOf('GET', url)]).toEqual([url, 'chainReads'])
  for (const url of [
    '/v1/launches/x',
    '/v1/launches/x/positions',
    '/v1/launches/x/activity',
    '/v1/launches/quote',
    '/v1/wallets/x/trades',
    '/rewards?q=x',
  ])
    expect([url, budgetOf('GET', url)]).toEqual([url, 'reads'])
  expect(budgetOf('POST', '/v1/launches/x/deposit')).toBe('writes')
})

test.each([
  ['//v1/%6Caunches?q=%61', '/v1/launches?q=%61'],
  ['http://x/%76%31/launches#%61', '/v1/launches'],
  ['/v1/launches?q=%61/%62', '/v1/launches?q=%61/%62'],
  ['/v1/agents/urn%3Aair', '/v1/agents/urn:air'],
  ['/v1/%6Caunches/%2F', '/v1/%6Caunches/%2F'],
])('%s means %s', (sent, url) => {
  expect(normalizeUrl(sent)).toBe(url)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:443', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
  ['2001:DB8:0001:0:0:0:0:9', '2001:db8:1::9'],
  ['[2001:db8:1::9]', '2001:db8:1::9'],
  ['[2001:db8:1:0::9]:443', '2001:db8:1::9'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', undefined],
  ['', undefined],
  ['192.0.2', undefined],
  ['192.0.2.7:443:1', undefined],
  ['[192.0.2.7', undefined],
  ['9.9.9.9","msg":"forged', undefined],
])('the address %s is spelt %s', (text, address) => {
  expect(parseAddress(text)).toBe(address)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s is counted as %s', (address, key) => {
  expect(limitKey(parseAddress(address) ?? address)).toBe(key)
})

describe('a proxy is trusted', () => {
  const trusts = createProxyTrust(['10.0.0.0/8', '2001:db8::/32'])

  test.each([
    ['10.1.2.3', true],
    ['10.1.2.3:443', true],
    ['::ffff:10.1.2.3', true],
    ['2001:DB8:0::1', true],
    ['192.0.2.7', false],
    ['unknown', false],
  ])('%s: %s', (address, expected) => {
    expect(trusts(address)).toBe(expected)
  })
})

/** A request with these header lines, as Node would parse them. */
function request(lines: [string, string][], httpVersion = '1.1'): IncomingMessage {
  const message = new IncomingMessage(new Socket())
  message.httpVersion = httpVersion
  message.rawHeaders = lines.flat()
  for (const [name, value] of lines) message.headers[name.toLowerCase()] ??= value
  return message
}

test.each([
  'example.com',
  'example.com:8080',
  'EXAMPLE.com.',
  'a_b-c~d',
  '127.0.0.1:80',
  '[::1]',
  '[2001:DB8::1]:443',
  'example.com:',
  '',
])('the host %j is accepted', host => {
  expect(hasPlainHeaders(request([['Host', host]]))).toBe(true)
  // A different host is accepted right after it.
  expect(hasPlainHeaders(request([['Host', 'other.example']]))).toBe(true)
})

test.each([
  'a b',
  'a/b',
  'a@b',
  'a?b',
  'a#b',
  'a\\b',
  'a:b',
  'a:80:80',
  'http://a',
  '[::1',
  '::1',
  '[::1]x',
  'a, b',
  'a,b"',
  'é',
])('the host %j is refused', host => {
  expect(hasPlainHeaders(request([['Host', host]]))).toBe(false)
})

test('a repeated host is refused, even if both are the same', () => {
  expect(
    hasPlainHeaders(
      request([
        ['Host', 'a'],
        ['Accept', '*/*'],
        ['hOST', 'a'],
      ]),
    ),
  ).toBe(false)
})

test('only HTTP/1.1 needs a host', () => {
  expect(hasPlainHeaders(request([]))).toBe(false)
  expect(hasPlainHeaders(request([], '1.0'))).toBe(true)
})

test.each([
  ['chunked', true],
  ['Chunked', true],
  ['gzip, chunked', false],
  ['chunked, chunked', false],
  ['identity', false],
  ['', false],
])('the transfer coding %j: %s', (coding, expected) => {
  expect(
    hasPlainHeaders(
      request([
        ['Host', 'a'],
        ['Transfer-Encoding', coding],
      ]),
    ),
  ).toBe(expected)
})

test('HTTP/1.0 has no transfer coding', () => {
  expect(hasPlainHeaders(request([['Transfer-Encoding', 'chunked']], '1.0'))).toBe(false)
})
