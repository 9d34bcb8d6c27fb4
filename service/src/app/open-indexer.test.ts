import { expect, test } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { observeIndexer } from './open-indexer.ts'

const network = 'chain-mainnet'

test('a node that stops indexing removes its lag metrics', async () => {
  const metrics = createMetrics()
  const observer = observeIndexer(metrics, createLog('silent'))
  observer.onLeading(network, true)
  observer.onMode(network, 'polling', 'refused')
  observer.onProgress(network, { slot: 7, lagSlots: 3, lagSeconds: 1.2, backlog: 5 })
  const indexMetrics = async () =>
    (await metrics.registry.metrics()).split('\n').filter(line => /^slipway_index_.*\{/.test(line))
  expect(await indexMetrics()).toEqual(
    expect.arrayContaining([
      'slipway_index_leading{network="chain-mainnet"} 1',
      'slipway_index_polling{network="chain-mainnet"} 1',
      'slipway_index_lag_slots{network="chain-mainnet"} 3',
      'slipway_index_lag_seconds{network="chain-mainnet"} 1.2',
      'slipway_index_backlog{network="chain-mainnet"} 5',
    ]),
  )
  const repair = { seconds: 1, accounts: 1 }
  observer.onRepaired(network, { ...repair, reason: 'start', isGap: false })
  expect((await indexMetrics()).join()).not.toContain('gaps_repaired')
  observer.onRepaired(network, { ...repair, reason: 'subscribed', isGap: true })
  expect(await indexMetrics()).toContain('slipway_index_gaps_repaired_total{network="chain-mainnet"} 1')
  observer.onLeading(network, false)
  expect(await indexMetrics()).toEqual([
    'slipway_index_leading{network="chain-mainnet"} 0',
    'slipway_index_gaps_repaired_total{network="chain-mainnet"} 1',
  ])
})
