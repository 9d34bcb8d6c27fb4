import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { hasPlainHeaders } from './check-headers.ts'

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
