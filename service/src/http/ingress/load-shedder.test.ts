import { expect, onTestFinished, test, vi } from 'vitest'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { DESCRIBED_ENDPOINTS } from '../../testing/described-endpoints.ts'
import { createLoadShedder, createPacedQueue } from './load-shedder.ts'

const [busy, idle] = DESCRIBED_ENDPOINTS as [Endpoint, Endpoint]

test('an endpoint takes 128 requests at a time, and another one for each that ends', () => {
  const limit = createLoadShedder().limitOf(busy)
  let admitted = 0
  while (limit.admit()) admitted += 1
  expect([admitted, limit.isFull()]).toEqual([128, true])
  limit.release()
  expect([limit.isFull(), limit.admit(), limit.admit()]).toEqual([false, true, false])
})

test('a full endpoint does not keep others from being answered', () => {
  const { limitOf } = createLoadShedder()
  while (limitOf(busy).admit());
  expect([limitOf(busy).isFull(), limitOf(idle).isFull()]).toEqual([true, false])
})

function fill(count: number) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sent: number[] = []
  const queue = createPacedQueue<number>(item => void sent.push(item))
  for (let item = 0; item < count; item += 1) queue.add(item)
  return sent
}

test('the first few are sent after 10 ms, in their order', () => {
  const sent = fill(5)
  expect(sent).toEqual([])
  vi.advanceTimersByTime(10)
  expect(sent).toEqual([0, 1, 2, 3, 4])
})

test.each([500, 2_000, 5_000])('%i are sent at a steady pace within four seconds', count => {
  const sent = fill(count)
  vi.advanceTimersByTime(10)
  expect(sent).toHaveLength(Math.max(5, count / 100))
  vi.advanceTimersByTime(4_000)
  expect(sent).toHaveLength(count)
})

test('beyond 5,000, they are sent at once', () => {
  expect(fill(5_010)).toHaveLength(10)
})
