import { expect, test, vi } from 'vitest'
import { createPlaces } from './places.ts'
import { createCountExchange, createSharedCounts, type SharedCounts } from './shared-counts.ts'

test('workers that share their counts give a client, and all clients, no more places than one worker would', () => {
  vi.useFakeTimers()
  const counts: SharedCounts[] = []
  const exchange = createCountExchange<SharedCounts>(
    () => counts,
    (to, changed) => to.receive(structuredClone(changed)),
  )
  const workers = [1, 2].map(() => {
    const own = createSharedCounts(changed => exchange.receive(own, structuredClone(changed)))
    counts.push(own)
    return createPlaces('reads', { all: 4, client: 3 }, own)
  })
  const takeAt = (worker: number, client: string) => {
    const refusal = workers[worker]?.take(client)
    vi.advanceTimersByTime(200)
    return refusal
  }
  expect([0, 1, 0].map(worker => takeAt(worker, 'a'))).toEqual([undefined, undefined, undefined])
  expect([0, 1].map(worker => takeAt(worker, 'a'))).toEqual(['client', 'client'])
  expect([0, 1].map(worker => takeAt(worker, 'b'))).toEqual([undefined, 'all'])
  workers[1]?.leave('a')
  vi.advanceTimersByTime(200)
  expect([0, 1].map(worker => takeAt(worker, 'a'))).toEqual([undefined, 'client'])
  vi.useRealTimers()
})
