import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDeadline, DeadlineExceeded, resultWithin, withinDeadline } from './deadline.ts'

const never = new Promise<never>(() => {})

test('work that ends in time keeps its result or its error', async () => {
  const deadline = createDeadline(60_000)
  expect(await withinDeadline(deadline, Promise.resolve('done'))).toBe('done')
  await expect(withinDeadline(deadline, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  deadline.assertInTime()
})

test('several waits share one deadline', async () => {
  const startMs = performance.now()
  const deadline = createDeadline(150)
  await withinDeadline(deadline, sleep(100))
  await expect(withinDeadline(deadline, never)).rejects.toThrow(DeadlineExceeded)
  // Two separate limits would take 250 ms.
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(149)
  expect(deadline.remainingMs()).toBeLessThanOrEqual(0)
  expect(() => deadline.assertInTime()).toThrow(DeadlineExceeded)
  await expect(withinDeadline(deadline, never)).rejects.toThrow(DeadlineExceeded)
})

test('a deadline is extended only if the condition holds when it is reached', async () => {
  const startMs = performance.now()
  let isLarge = false
  const deadline = createDeadline(50)
  deadline.extendIf(() => isLarge, 200)
  setTimeout(() => {
    isLarge = true
  }, 10)
  await expect(withinDeadline(deadline, never)).rejects.toThrow(DeadlineExceeded)
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(199)
  const other = createDeadline(50)
  other.extendIf(() => false, 60_000)
  await expect(withinDeadline(other, never)).rejects.toThrow(DeadlineExceeded)
})

test('a late result is undefined, and an error stays an error', async () => {
  expect(await resultWithin(20, never)).toBeUndefined()
  expect(await resultWithin(60_000, Promise.resolve(7))).toBe(7)
  await expect(resultWithin(60_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
