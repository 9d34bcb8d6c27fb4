import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createCachedCall } from './cached-call.ts'

test('callers share one run while it lasts and for some time after it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let runs = 0
  const call = createCachedCall(async () => {
    runs += 1
    await nextTurn()
    return runs
  }, 50)
  expect(await Promise.all([call(), call(), call()])).toEqual([1, 1, 1])
  vi.advanceTimersByTime(49)
  expect(await call()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await call()).toBe(2)
})

test('an error is not kept', async () => {
  let runs = 0
  const call = createCachedCall(async () => {
    runs += 1
    if (runs === 1) throw new Error('once')
    return runs
  }, 60_000)
  await expect(Promise.all([call(), call()])).rejects.toThrow('once')
  expect(runs).toBe(1)
  expect(await call()).toBe(2)
})
