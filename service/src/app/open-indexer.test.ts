import { expect, test } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { addressOf } from '../testing/launch-rows.ts'
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

test('the log reports a first read as it goes on, at most every two seconds, and its end once', () => {
  const lines: [string, object][] = []
  const info = (fields: object, message: string) => lines.push([message, fields])
  const observer = observeIndexer(createMetrics(), { ...createLog('silent'), info } as never)
  for (const share of [0.25, 0.5, 1, 1]) observer.onScan(network, share)
  observer.onRepaired(network, { reason: 'start', isGap: false, seconds: 1, accounts: 7 })
  expect(lines).toEqual([
    ['reading the whole chain for the first time', { network, percent: 25 }],
    ['read the whole chain', { network, reason: 'start', seconds: 1, accounts: 7 }],
  ])
})

test('removals are counted, and removals that are held back are shown until they are over', async () => {
  const metrics = createMetrics()
  const lines: [string, object][] = []
  const log = {
    ...createLog('silent'),
    warn: (fields: object, message: string) => lines.push([message, fields]),
    error: (fields: object, message: string) => lines.push([message, fields]),
  }
  const observer = observeIndexer(metrics, log as never)
  observer.onRemoved(network, 'buckets', [addressOf('bucket')])
  observer.onHeld(network, { kind: 'agents', missing: 12, total: 40 })
  expect(lines.map(([message]) => message)).toEqual([
    expect.stringContaining('the chain no longer has them'),
    expect.stringContaining('too many accounts are missing on the chain'),
  ])
  expect(lines[0]?.[1]).toMatchObject({ kind: 'buckets', addresses: [addressOf('bucket')] })
  const text = () => metrics.registry.metrics()
  expect(await text()).toContain('slipway_index_removals_total{network="chain-mainnet",kind="buckets"} 1')
  expect(await text()).toContain('slipway_index_removals_held{network="chain-mainnet"} 12')
  observer.onHeld(network, undefined)
  expect(await text()).toContain('slipway_index_removals_held{network="chain-mainnet"} 0')
})
