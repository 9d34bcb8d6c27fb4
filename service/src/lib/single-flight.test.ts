import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFreshSingleFlight, createSingleFlight } from './single-flight.ts'

test('callers with the same key share one run; another key has its own', async () => {
  const share = createSingleFlight<string, number>()
  let runs = 0
  const work = async () => ++runs
  expect(await Promise.all([share('a', work), share('a', work), share('b', work)])).toEqual([1, 1, 2])
  expect(await share('a', work)).toBe(3)
})

test('a failure reaches everyone who shared the run, and the next caller runs again', async () => {
  const share = createSingleFlight<string, number>()
  const fail = async () => {
    throw new Error('failed')
  }
  const shared = await Promise.allSettled([share('a', fail), share('a', fail)])
  expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await share('a', async () => 1)).toBe(1)
})

test('no result is older than its call, and any number of concurrent callers costs two runs', async () => {
  let state = 0
  let runs = 0
  const call = createFreshSingleFlight(async (_key: string) => {
    runs += 1
    const seen = state
    await sleep(20)
    return seen
  })
  const first = call('a')
  state = 1
  const callers = Array.from({ length: 50 }, () => call('a'))
  expect(await first).toBe(0)
  expect(await Promise.all(callers)).toEqual(Array(50).fill(1))
  expect(runs).toBe(2)
  state = 2
  expect(await call('a')).toBe(2)
})

test('keys do not wait for each other', async () => {
  const call = createFreshSingleFlight(async (key: number) => {
    await sleep(key)
    return key
  })
  const order: number[] = []
  await Promise.all([200, 1].map(async key => order.push(await call(key))))
  expect(order).toEqual([1, 200])
})

test('a failure reaches only the callers of that run, and the next run still starts', async () => {
  let runs = 0
  const call = createFreshSingleFlight(async (_key: string) => {
    runs += 1
    await sleep(5)
    if (runs === 1) throw new Error('lost')
    return runs
  })
  const [first, second] = await Promise.allSettled([call('a'), call('a')])
  expect(first).toMatchObject({ status: 'rejected' })
  expect(second).toEqual({ status: 'fulfilled', value: 2 })
  expect(await call('a')).toBe(3)
})

test('at random times, every caller gets a result whose run began after the call', async () => {
  let started = 0
  const call = createFreshSingleFlight(async (_key: string) => {
    started += 1
    const mine = started
    await sleep(Math.random() * 4)
    return mine
  })
  await Promise.all(
    Array.from({ length: 300 }, async () => {
      await sleep(Math.random() * 100)
      const before = started
      expect(await call('a')).toBeGreaterThan(before)
    }),
  )
  expect(started).toBeLessThan(200)
})
