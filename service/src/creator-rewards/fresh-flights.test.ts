import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFreshFlights } from './fresh-flights.ts'

test('nobody is given an answer that is older than his question, and a crowd makes two flights', async () => {
  let state = 0
  let flights = 0
  const ask = createFreshFlights(async (_key: string) => {
    flights += 1
    const seen = state
    await sleep(20)
    return seen
  })
  const first = ask('a')
  state = 1
  const crowd = Array.from({ length: 50 }, () => ask('a'))
  expect(await first).toBe(0)
  expect(await Promise.all(crowd)).toEqual(Array(50).fill(1))
  expect(flights).toBe(2)
  state = 2
  expect(await ask('a')).toBe(2)
})

test('one key does not wait for another', async () => {
  const ask = createFreshFlights(async (key: number) => {
    await sleep(key)
    return key
  })
  const order: number[] = []
  await Promise.all([200, 1].map(async key => order.push(await ask(key))))
  expect(order).toEqual([1, 200])
})

test('a failure is told to those who were in that flight; the next one flies all the same', async () => {
  let flights = 0
  const ask = createFreshFlights(async (_key: string) => {
    flights += 1
    await sleep(5)
    if (flights === 1) throw new Error('lost')
    return flights
  })
  const [first, second] = await Promise.allSettled([ask('a'), ask('a')])
  expect(first).toMatchObject({ status: 'rejected' })
  expect(second).toEqual({ status: 'fulfilled', value: 2 })
  expect(await ask('a')).toBe(3)
})

test('asked from anywhere at any time, each answer was begun after its question', async () => {
  let started = 0
  const ask = createFreshFlights(async (_key: string) => {
    started += 1
    const mine = started
    await sleep(Math.random() * 4)
    return mine
  })
  await Promise.all(
    Array.from({ length: 300 }, async () => {
      await sleep(Math.random() * 100)
      const before = started
      expect(await ask('a')).toBeGreaterThan(before)
    }),
  )
  expect(started).toBeLessThan(200)
})
