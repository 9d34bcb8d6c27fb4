import { expect, test } from 'vitest'
import { budgetOf, normalizeUrl } from './request-line.ts'

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
