import { beforeEach, expect, test, vi } from 'vitest'
import { createMetrics } from '../telemetry/metrics.ts'
import { createWorkerReports } from './worker-reports.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** Two workers, and the questions that they were asked. */
function start() {
  const asked: unknown[][] = []
  let state = 'ok'
  const ask = async (...question: unknown[]): Promise<never> => {
    asked.push(question)
    return (
      question[0] === 'metrics'
        ? await createMetrics().registry.getMetricsAsJSON()
        : { ready: state === 'ok', text: `store: ${state}\n` }
    ) as never
  }
  const reports = createWorkerReports({
    metrics: createMetrics(),
    count: 2,
    serving: () => [worker, other],
  })
  const [worker, other] = [{ ask }, { ask }]
  return {
    ...reports,
    questions: () => asked.splice(0),
    fail() {
      state = 'failing, unreachable'
    },
  }
}

test('however often anyone asks, the workers are asked for their metrics once a second', async () => {
  const { readMetrics, questions } = start()
  await Promise.all(Array.from({ length: 50 }, readMetrics))
  await readMetrics()
  expect(questions()).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_001)
  await readMetrics()
  expect(questions()).toHaveLength(2)
})

test.each(['all', 'reads'] as const)(
  'the workers are asked for their readiness once a second (%s)',
  async scope => {
    const { readiness, questions, fail } = start()
    const check = () => readiness.check(scope)
    await Promise.all(Array.from({ length: 50 }, check))
    expect((await check()).ready).toBe(true)
    expect(questions()).toEqual([
      ['readiness', scope],
      ['readiness', scope],
    ])
    fail()
    await vi.advanceTimersByTimeAsync(1_001)
    expect((await check()).ready).toBe(false)
  },
)

test('a check right after workers have changed asks them again', async () => {
  const { readiness, changed, fail } = start()
  expect((await readiness.check('reads')).ready).toBe(true)
  fail()
  changed()
  expect((await readiness.check('reads')).ready).toBe(false)
})
