import { expect, test } from 'vitest'
import { listClientNetworks, storedClient } from './client-networks.ts'

const prefixesOf = (client: string) => listClientNetworks(client).map(({ prefix }) => prefix)

test('an IPv6 client belongs to its /64, /56 and /48', () => {
  expect(prefixesOf('2001:db8:1:2345::/64')).toEqual([
    '2001:0db8:0001:2345/',
    '2001:0db8:0001:23',
    '2001:0db8:0001:',
  ])
  expect(prefixesOf('0:0:0:0::/64').at(-1)).toBe('0000:0000:0000:')
})

test('an IPv4 client belongs to its /24', () => {
  expect(prefixesOf('203.0.113.7')).toEqual(['203.0.113.7/', '203.0.113.'])
})

test.each([
  ['203.0.113.7', '203.0.113.70'],
  ['203.0.11.7', '203.0.113.7'],
  ['2001:db8:1:1::/64', '2001:db8:11:1::/64'],
  ['2001:db8:1:2::/64', '2001:db8:1:200::/64'],
])('%s is not the same client as %s', (one, other) => {
  expect(storedClient(other).startsWith(prefixesOf(one)[0] as string)).toBe(false)
  expect(storedClient(one).startsWith(prefixesOf(one)[0] as string)).toBe(true)
})
