import { expect, test } from 'vitest'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import type { LagSample } from '../../telemetry/event-loop-lag.ts'
import { DESCRIBED_ENDPOINTS } from '../../testing/described-endpoints.ts'
import { createConcurrencyLimit, createLoadShedder } from './load-shedder.ts'

/** A server that handles `parallel` requests at a time, `serviceMs` each, and is sent `perMs` requests per millisecond. */
function simulate(options: { parallel: number; serviceMs: number; perMs: number; ms: number }) {
  let nowMs = 0
  const limit = createConcurrencyLimit(() => nowMs)
  const queue: number[] = []
  const running: { arrivedMs: number; endMs: number }[] = []
  const times: { arrivedMs: number; ms: number }[] = []
  let refused = 0
  let due = 0
  const run = (perMs: number, forMs: number, serviceMs = options.serviceMs) => {
    for (const end = nowMs + forMs; nowMs < end; nowMs += 1) {
      for (const done of running.filter(({ endMs }) => endMs <= nowMs)) {
        running.splice(running.indexOf(done), 1)
        times.push({ arrivedMs: done.arrivedMs, ms: nowMs - done.arrivedMs })
        limit.release(nowMs - done.arrivedMs)
      }
      for (due += perMs; due >= 1; due -= 1) {
        if (limit.admit()) queue.push(nowMs)
        else refused += 1
      }
      while (queue.length > 0 && running.length < options.parallel)
        running.push({ arrivedMs: queue.shift() as number, endMs: nowMs + serviceMs })
    }
  }
  run(options.perMs, options.ms)
  return { limit, times, run, refused: () => refused }
}

const p99 = (times: { ms: number }[]) =>
  times.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(times.length * 0.99)]

test('requests that the server can handle are never refused', () => {
  // 80 % of its capacity.
  const { refused } = simulate({ parallel: 10, serviceMs: 10, perMs: 0.8, ms: 60_000 })
  expect(refused()).toBe(0)
})

test('a burst of a hundred requests is admitted', () => {
  const limit = createConcurrencyLimit()
  expect(Array.from({ length: 100 }, limit.admit)).not.toContain(false)
})

test('at five times the capacity, admitted requests take at most three times as long, and capacity is used', () => {
  const { times, refused } = simulate({ parallel: 10, serviceMs: 10, perMs: 5, ms: 120_000 })
  const settled = times.filter(({ arrivedMs }) => arrivedMs > 2_000)
  expect(p99(settled)).toBeLessThanOrEqual(30)
  expect(settled.length).toBeGreaterThan(0.9 * 118_000)
  expect(refused()).toBeGreaterThan(0)
})

test('when a server stays slower, the same load is admitted again once the new time counts as normal', () => {
  const { run, refused } = simulate({ parallel: 1_000, serviceMs: 10, perMs: 1, ms: 10_000 })
  expect(refused()).toBe(0)
  run(1, 90_000, 200)
  const before = refused()
  run(1, 10_000, 200)
  expect(refused() - before).toBe(0)
})

test('after overload, requests are admitted as before within a second', () => {
  const { run, refused } = simulate({ parallel: 10, serviceMs: 10, perMs: 5, ms: 10_000 })
  run(0.5, 1_000)
  const before = refused()
  run(0.5, 10_000)
  expect(refused() - before).toBe(0)
})

test('a full endpoint does not keep others from being answered', () => {
  const [busy, idle] = DESCRIBED_ENDPOINTS as [Endpoint, Endpoint]
  const { limitOf } = createLoadShedder({ onSample() {} })
  while (limitOf(busy).admit());
  expect([limitOf(busy).isFull(), limitOf(idle).isFull()]).toEqual([true, false])
})

test('prepared answers are refused only after three turns of a quarter of a second', () => {
  let listener: (sample: LagSample) => void = () => {}
  const { isOverwhelmed } = createLoadShedder({
    onSample(added) {
      listener = added
    },
  })
  const after = (workMs: number) => {
    listener({ workMs, lagMs: workMs })
    return isOverwhelmed()
  }
  expect([300, 300, 1, 300, 300, 300, 1].map(after)).toEqual([false, false, false, false, false, true, false])
})
