import { describe, expect, test } from 'vitest'
import { createProxyTrust, limitKey, parseAddress } from './client-address.ts'

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
