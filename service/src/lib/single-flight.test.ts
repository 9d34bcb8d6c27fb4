import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

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
