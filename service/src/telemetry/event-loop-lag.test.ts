import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runScript } from '../testing/run-script.ts'
import { createEventLoopLag } from './event-loop-lag.ts'

function block(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Uses processor time, because other processes may take most of the wall-clock time. */
function work(ms: number) {
  const start = process.cpuUsage()
  const usedMs = () => Object.values(process.cpuUsage(start)).reduce((sum, us) => sum + us / 1_000, 0)
  while (usedMs() < ms);
}

test('samples often only while there is activity', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const lag = createEventLoopLag(new Registry())
  let samples = 0
  lag.onSample(() => {
    samples += 1
  })
  await vi.advanceTimersByTimeAsync(990)
  expect(samples).toBe(0)
  for (let at = 0; at < 50; at += 1) {
    lag.noteActivity()
    await vi.advanceTimersByTimeAsync(10)
  }
  // Samples are 20 ms apart. A faked immediate takes one millisecond more.
  expect(samples).toBeGreaterThanOrEqual(23)
  expect(samples).toBeLessThanOrEqual(25)
  await vi.advanceTimersByTimeAsync(20)
  const before = samples
  await vi.advanceTimersByTimeAsync(3_000)
  expect(samples - before).toBe(3)
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
  setTimeout(() => work(60), 21)
  block(40)
  // Without the work, it would be next to nothing. A turn that ends early leaves a part to the next sample.
  await expect.poll(() => Math.max(...works)).toBeGreaterThan(30)
})

test('the metrics of an idle service do not wake it', async () => {
  const turns = await runScript(
    import.meta.url,
    `import { createMetrics } from './metrics.ts'
    createMetrics()
    const countTurns = () => performance.nodeTiming.uvMetricsInfo.loopCount
    setTimeout(() => {
      const before = countTurns()
      setTimeout(() => console.log(countTurns() - before), 1_000)
    }, 100)`,
  )
  // Node's own monitor takes a hundred turns in every second.
  expect(Number.parseInt(turns, 10)).toBeLessThan(20)
})
