import { expect, test } from 'vitest'
import { pause } from './pause.ts'

test('waits for the given time', async () => {
  const startMs = performance.now()
  await pause(30)
  expect(performance.now() - startMs).toBeGreaterThan(25)
})

test('ends at once when the signal is aborted, before or during the wait', async () => {
  const stop = new AbortController()
  const waiting = pause(3_600_000, stop.signal)
  stop.abort()
  await waiting
  await pause(3_600_000, stop.signal)
})
