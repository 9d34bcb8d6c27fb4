import { expect, test } from 'vitest'
import { budgetOf } from './request-line.ts'

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
