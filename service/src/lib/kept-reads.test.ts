import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createCachedCall, createKeptReads } from './kept-reads.ts'

test('callers share one run while it lasts and for some time after it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let runs = 0
  const call = createCachedCall(async () => {
    runs += 1
    await nextTurn()
    return runs
  }, 50)
  expect(await Promise.all([call(), call(), call()])).toEqual([1, 1, 1])
  vi.advanceTimersByTime(50)
  expect(await call()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await call()).toBe(2)
})

test('an error is not kept', async () => {
  let runs = 0
  const call = createCachedCall(async () => {
    runs += 1
    if (runs === 1) throw new Error('once')
    return runs
  }, Number.POSITIVE_INFINITY)
  await expect(Promise.all([call(), call()])).rejects.toThrow('once')
  expect(runs).toBe(1)
  expect(await call()).toBe(2)
  expect(await call()).toBe(2)
})

test('a value that is too old or not enough for a caller is read again, for all that wait', async () => {
  let nowMs = 0
  let reads = 0
  const keep = createKeptReads<string, number>({ keptMs: 1_000, sizeMax: 10, now: () => nowMs })
  const read = async () => {
    await nextTurn()
    reads += 1
    return reads
  }
  expect(await keep('a', read)).toBe(1)
  nowMs = 101
  expect(await Promise.all([keep('a', read, 100), keep('a', read, 100)])).toEqual([2, 2])
  expect(await Promise.all([keep('a', read, 100, value => value > 2), keep('a', read)])).toEqual([3, 2])
})

test('a read that began before everything was forgotten is neither shared nor kept', async () => {
  const keep = createKeptReads<string, string>({ keptMs: 1_000, sizeMax: 10 })
  const before = keep('a', () => nextTurn('before'))
  keep.clear()
  expect(await Promise.all([before, keep('a', () => nextTurn('after'))])).toEqual(['before', 'after'])
  expect(await keep('a', () => Promise.reject(new Error('read again')))).toBe('after')
})

test('what has expired takes no room', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let nowMs = 1
  const keep = createKeptReads<string, string>({ keptMs: 1_000, sizeMax: 10, now: () => nowMs })
  await keep('a', async () => 'old')
  nowMs = 1_002
  vi.advanceTimersByTime(1_001)
  // It is gone, not only too old.
  nowMs = 1
  expect(await keep('a', async () => 'new')).toBe('new')
})
