import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCachedCall } from './cached-call.ts'

test('callers share one run while it lasts and for some time after it', async () => {
  let runs = 0
  const call = createCachedCall(async () => {
    runs += 1
    await sleep(20)
    return runs
  }, 50)
  expect(await Promise.all([call(), call(), call()])).toEqual([1, 1, 1])
  expect(await call()).toBe(1)
  await sleep(80)
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
