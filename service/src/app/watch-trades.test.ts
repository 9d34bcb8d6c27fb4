import { expect, onTestFinished, test, vi } from 'vitest'
import { insertLaunches } from '../store/launches.ts'
import { saveTradeProgress, saveTradeReading } from '../store/trade-progress.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { watchTrades } from './watch-trades.ts'

const network = 'chain-mainnet'

test('the metric and /readyz have the same count of launches without all trades', async () => {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('read'), launchRows('behind'), launchRows('not begun')])
  for (const [name, gaps] of [
    ['read', []],
    ['behind', [{ newest: 'signature', oldest: null }]],
  ] as const)
    await database.transact('test', db =>
      saveTradeProgress(db, network, launchRows(name).launch.genesisAddress, {
        address: addressOf(name),
        settled: null,
        recent: [],
        gaps: gaps as never,
        hasOrigin: true,
        lacksHistory: false,
        unreadable: [],
      } as never),
    )
  const metrics = createMetrics()
  let readsTrades = true
  const [part] = watchTrades(database, {
    chains: { [network]: {} } as never,
    metrics,
    readsTrades: () => readsTrades,
  })
  const state = async () => {
    const line = await part?.check()
    const text = await metrics.registry.metrics()
    return [line, /^slipway_trades_launches_behind\{.*\} (\d+)/m.exec(text)?.[1]]
  }
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await state()).toEqual(['not read at the moment', '3'])
  await saveTradeReading(database, network)
  vi.advanceTimersByTime(6_000)
  expect(await state()).toEqual(['complete for 1 of 3 launches', '2'])
  readsTrades = false
  expect(await state()).toEqual(['complete for 1 of 3 launches', undefined])
})
