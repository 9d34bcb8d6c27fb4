// @module-tag timing
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createEventLoopLag } from './event-loop-lag.ts'
import { createMetrics } from './metrics.ts'

function block(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('samples often only while there is activity', async () => {
  const lag = createEventLoopLag(new Registry())
  let samples = 0
  lag.onSample(() => {
    samples += 1
  })
  await sleep(500)
  expect(samples).toBe(0)
  const startMs = performance.now()
  for (let at = 0; at < 50; at += 1) {
    lag.noteActivity()
    await sleep(10)
  }
  expect(samples).toBeGreaterThan(8)
  // 20 ms apart, however long a busy machine takes. Timers can fire a millisecond early.
  expect(samples).toBeLessThanOrEqual((performance.now() - startMs) / 19)
  await sleep(100)
  const before = samples
  await sleep(500)
  expect(samples - before).toBeLessThan(2)
})

test('a blocked event loop shows in the samples and the metrics', async () => {
  const registry = new Registry()
  const lag = createEventLoopLag(registry)
  let worstMs = 0
  lag.onSample(({ lagMs }) => {
    worstMs = Math.max(worstMs, lagMs)
  })
  lag.noteActivity()
  await sleep(5)
  block(150)
  await sleep(50)
  expect(worstMs).toBeGreaterThan(100)
  const value = async (part: string) => {
    const [sample] =
      (await registry.getSingleMetric(`nodejs_eventloop_lag${part}_seconds`)?.get())?.values ?? []
    return sample?.value
  }
  await registry.metrics()
  expect(await value('_max')).toBeGreaterThan(0.1)
  expect(await value('_p99')).toBeGreaterThan(0.1)
})

test('a sample has the processor time of its turn', async () => {
  const lag = createEventLoopLag(new Registry())
  const works: number[] = []
  lag.onSample(({ workMs }) => works.push(workMs))
  lag.noteActivity()
  // Both timers are due when the event loop continues, so this one runs in the turn of the sample, after its timer.
  setTimeout(() => block(60), 21)
  block(40)
  await sleep(100)
  expect(Math.max(...works)).toBeGreaterThan(5)
  expect(Math.max(...works)).toBeLessThanOrEqual(1_000)
})

test('the metrics of an idle service do not wake it', async () => {
  const countTurns = async () => {
    const { loopCount } = performance.nodeTiming.uvMetricsInfo
    await sleep(1_000)
    return performance.nodeTiming.uvMetricsInfo.loopCount - loopCount
  }
  await sleep(50)
  const before = await countTurns()
  createMetrics()
  // Node's own monitor takes a hundred turns in every second. Something that another test has left behind comes and goes.
  const after = [await countTurns(), await countTurns(), await countTurns()]
  expect(Math.min(...after) - before).toBeLessThan(50)
})
