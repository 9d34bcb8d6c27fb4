import { expect, test } from 'vitest'
import { hasNetworkPlace, networkMax, networkOf } from './client-network.ts'

test.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['0:0:0:0::/64', '0:0:0::/48'],
  ['192.0.2.7', undefined],
  ['unknown', undefined],
])('the client %s belongs to the network %s', (client, network) => {
  expect(networkOf(client)).toBe(network)
})

test('a network has the places of 16 clients, but never more than half of those that are free', () => {
  expect([networkMax(20), networkMax(20, 10_000), networkMax(20, 100), networkMax(20, 1)]).toEqual([
    320, 320, 50, 1,
  ])
  const place = (client: string) => hasNetworkPlace(client, { perClient: 1, free: 2, countOf: () => 1 })
  expect([place('2001:db8:1:2::/64'), place('192.0.2.7')]).toEqual([false, true])
})
