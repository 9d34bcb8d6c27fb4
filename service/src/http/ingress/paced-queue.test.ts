import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPacedQueue } from './paced-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function fill(count: number) {
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
