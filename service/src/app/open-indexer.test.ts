import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../telemetry/log.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { describeProgress, observeIndexer } from './open-indexer.ts'

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

test('a first read that starts again never shows a lower percentage', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const info = ({ percent }: { percent?: number }, message: string) => lines.push(`${message} ${percent}`)
  const observer = observeIndexer(createMetrics(), { ...createLog('silent'), info } as never)
  for (const share of [0.25, 0.8, 0, 0.4, 0.85]) {
    observer.onScan(network, share)
    vi.advanceTimersByTime(2_000)
  }
  expect(lines).toEqual([
    'reading the whole chain for the first time 25',
    'reading the whole chain for the first time 80',
    'still reading the whole chain for the first time undefined',
    'still reading the whole chain for the first time undefined',
    'reading the whole chain for the first time 85',
  ])
})

test('readiness says that the index is catching up during the first read and while it is far behind', () => {
  const complete = { slot: 100, isComplete: true, scanSlot: null, scanShare: null, updatedAt: new Date() }
  const describe = (newest: number, isLeading = true, progress: Partial<typeof complete> = {}) =>
    describeProgress({ ...complete, ...progress } as never, { newest, isLeading })
  const late = { updatedAt: new Date(Date.now() - 30_000) }
  expect(describe(165, true, late)).toMatch(/^65 slots \(30\.\d s\) behind, catching up$/)
  expect(describe(165, false, late)).toMatch(/^65 slots \(30\.\d s\) behind$/)
  expect(describe(165)).toMatch(/^65 slots \(0\.\d s\) behind$/)
  expect(describe(103)).toMatch(/^3 slots \(0\.\d s\) behind$/)
  expect(describe(103, true, { isComplete: false })).toBe('catching up, 0 % of the first read done')
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
