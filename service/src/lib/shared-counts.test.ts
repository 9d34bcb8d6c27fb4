import { beforeEach, expect, test, vi } from 'vitest'
import { createCountExchange, createSharedCounts, type SharedCounts } from './shared-counts.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** How long a count takes to reach the others. */
const EXCHANGE_MS = 200

/** Processes that exchange their counts, and the number of counts in each message to one of them. */
function start(names: readonly string[]) {
  const processes = new Map<string, SharedCounts>()
  const sent: number[] = []
  const exchange = createCountExchange<string>(
    () => [...processes.keys()],
    (name, counts) => {
      sent.push(counts.length)
      processes.get(name)?.receive(structuredClone(counts))
    },
  )
  const add = (name: string) => {
    const counts = createSharedCounts(changed => exchange.receive(name, structuredClone(changed)))
    processes.set(name, counts)
    exchange.add(name)
    return counts
  }
  const end = (name: string) => {
    processes.delete(name)
    exchange.remove(name)
  }
  return { counts: names.map(add), add, end, sent }
}

test('each process learns the counts of all others', () => {
  const [a, b, c] = start(['a', 'b', 'c']).counts
  a?.set('streams', 2)
  b?.set('streams', 3)
  b?.set('streams', 4)
  vi.advanceTimersByTime(EXCHANGE_MS)
  expect([a, b, c].map(counts => counts?.others('streams')?.count)).toEqual([4, 2, 6])
  b?.set('streams', 0)
  vi.advanceTimersByTime(EXCHANGE_MS)
  expect(a?.others('streams')).toBeUndefined()
})

test('a count with an end is forgotten after it', () => {
  const [a, b] = start(['a', 'b']).counts
  a?.set('reads', 5, performance.now() + 60_000)
  vi.advanceTimersByTime(59_000)
  expect(b?.others('reads')).toEqual({ count: 5, endsMs: performance.now() + 1_000 })
  vi.advanceTimersByTime(1_001)
  expect(b?.others('reads')).toBeUndefined()
})

test('counts that end at different times are forgotten one after the other', () => {
  const [a, b, c] = start(['a', 'b', 'c']).counts
  a?.set('reads', 60, performance.now() + 60_000)
  b?.set('reads', 1, performance.now() + 119_000)
  vi.advanceTimersByTime(EXCHANGE_MS)
  expect(c?.others('reads')?.count).toBe(61)
  vi.advanceTimersByTime(60_000)
  expect(c?.others('reads')?.count).toBe(1)
})

test('when a process ends, its open streams no longer count, but its timed counts do', () => {
  const { counts, add, end } = start(['a', 'b'])
  counts[0]?.set('streams', 2)
  counts[0]?.set('reads', 5, performance.now() + 60_000)
  vi.advanceTimersByTime(EXCHANGE_MS)
  end('a')
  vi.advanceTimersByTime(EXCHANGE_MS)
  expect(counts[1]?.others('streams')).toBeUndefined()
  // A process that starts later learns of it too.
  expect([counts[1], add('c')].map(each => each?.others('reads')?.count)).toEqual([5, 5])
})

test('a process gets the changes of all others in one message', () => {
  const { counts, sent } = start(['a', 'b', 'c', 'd', 'e', 'f'])
  for (const [at, each] of counts.entries()) each.set(`streams ${at}`, 1)
  vi.advanceTimersByTime(EXCHANGE_MS)
  expect(sent).toEqual([5, 5, 5, 5, 5, 5])
})

test('a process that starts later gets many counts in parts', () => {
  const { counts, add, sent } = start(['a'])
  for (let at = 0; at < 12_000; at += 1) counts[0]?.set(`streams ${at}`, 1)
  vi.advanceTimersByTime(EXCHANGE_MS)
  sent.splice(0)
  const added = add('b')
  vi.advanceTimersByTime(1)
  expect(sent).toEqual([5_000, 5_000, 2_000])
  expect(added.others('streams 11999')?.count).toBe(1)
})
