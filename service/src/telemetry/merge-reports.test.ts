import { expect, test } from 'vitest'
import { createMetricsMerger, mergeReadiness } from './merge-reports.ts'
import { createMetrics } from './metrics.ts'

const findValue = (text: string, name: string) =>
  text
    .split('\n')
    .find(line => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    ?.split(' ')
    .at(-1)

test('counters of workers are added up and stay after a worker has ended; gauges do not stay', async () => {
  const [first, a, b] = [createMetrics(), createMetrics(), createMetrics()]
  first.workersExpected.set(2)
  first.workersHung.set(1)
  const merger = createMetricsMerger(first.registry)
  for (const [worker, count] of [
    [a, 2],
    [b, 3],
  ] as const) {
    worker.eventsSent.inc(count)
    worker.eventStreams.set(count)
    worker.storeWritable.set(count - 2)
    worker.launches.set({ network: 'chain-mainnet' }, 7)
    merger.set(worker, await worker.registry.getMetricsAsJSON())
  }
  const read = async () => {
    const text = await merger.merge()
    return [
      'slipway_events_sent_total',
      'slipway_event_streams',
      'slipway_store_writable',
      'slipway_launches',
      'slipway_workers_expected',
      'slipway_workers_hung',
    ].map(name => findValue(text, name))
  }
  // The first process has no store and no listings, so its zeros don't count.
  expect(await read()).toEqual(['5', '5', '0', '7', '2', '1'])
  await merger.end(a)
  expect(await read()).toEqual(['5', '3', '1', '7', '2', '1'])
  await merger.end(b)
  expect(await read()).toEqual(['5', undefined, undefined, undefined, '2', '1'])
})

test('the readiness of workers is that of the worst one, and shows the line of the worker that indexes', () => {
  const ready = (text: string) => ({ ready: true, text })
  const one = ready('store: ok, answered\nindexer: ok, not indexed by this node\n')
  const two = ready('store: ok, answered\nindexer: ok, indexed by this node, 0 slots behind\n')
  const broken = { ready: false, text: 'store: failing, unreachable\n' }
  expect(mergeReadiness([one, two], 2)).toEqual(
    ready(
      'store: ok, answered\nindexer: ok, indexed by this node, 0 slots behind\nworkers: ok, 2 of 2 answering\n',
    ),
  )
  const { ready: isReady, text } = mergeReadiness([one, broken], 3)
  expect(isReady).toBe(false)
  expect(text).toContain('store: failing, unreachable\n')
  expect(text).toContain('workers: ok, 2 of 3 answering\n')
  expect(mergeReadiness([], 2).ready).toBe(false)
  const hanging = mergeReadiness([one], 2)
  expect([hanging.ready, hanging.text.includes('workers: ok, 1 of 2 answering')]).toEqual([true, true])
})

test('a note that only some workers have is shown once', () => {
  const report = (line: string) => ({ ready: true, text: `rpc: ok, ${line}\n` })
  const noted = (time: string) => `account A has 7 bytes, so B (first seen ${time})`
  const reports = [
    report('slot 1'),
    report(`slot 2; note: ${noted('2027')}; note: software 5`),
    report(`slot 3; note: ${noted('2026')}`),
  ]
  const { text } = mergeReadiness(reports, 3)
  expect(text).toContain('rpc: ok, slot 1; note: ')
  expect(text.split('; note: ').slice(1).join().split('\n')[0]?.split('software')).toHaveLength(2)
  expect([text.includes(noted('2026')), text.includes(noted('2027'))]).toEqual([true, false])
})
