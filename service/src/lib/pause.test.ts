import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause, untilAborted } from './pause.ts'

test('waits for the given time', async () => {
  const startMs = performance.now()
  await pause(200)
  // A timer counts from the beginning of the loop's turn, so on a busy machine it ends early.
  expect(performance.now() - startMs).toBeGreaterThan(100)
})

test('ends at once when the signal is aborted, before or during the wait', async () => {
  const stop = new AbortController()
  const waiting = pause(3_600_000, stop.signal)
  stop.abort()
  await waiting
  await pause(3_600_000, stop.signal)
})

test('work is waited for until the signal is aborted, and leaves nothing behind on the signal', async () => {
  const stop = new AbortController()
  const forEver = new Promise(() => {})
  await untilAborted(Promise.resolve(), stop.signal)
  await expect(untilAborted(Promise.reject(new Error('failed')), stop.signal)).rejects.toThrow('failed')
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  const waiting = untilAborted(forEver, stop.signal)
  stop.abort()
  await waiting
  await untilAborted(forEver, stop.signal)
})
