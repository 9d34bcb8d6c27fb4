import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

const never = new AbortController().signal

test('permits go to callers in order, and a caller beyond the waiting limit is refused at once', async () => {
  const semaphore = createSemaphore({ permits: 1, waitingMax: 1 })
  expect(await semaphore.acquire(never)).toBe('acquired')
  const second = semaphore.acquire(never)
  expect(await semaphore.acquire(never)).toBe('full')
  semaphore.release()
  expect(await second).toBe('acquired')
  semaphore.release()
  expect(await semaphore.acquire(never)).toBe('acquired')
})

test('a caller that gives up leaves its place, and the permit goes to the next', async () => {
  const semaphore = createSemaphore({ permits: 1, waitingMax: 2 })
  await semaphore.acquire(never)
  const gone = new AbortController()
  const second = semaphore.acquire(gone.signal)
  const third = semaphore.acquire(never)
  gone.abort()
  expect(await second).toBe('aborted')
  semaphore.release()
  expect(await third).toBe('acquired')
  // An abort that comes after the permit changes nothing.
  expect(await semaphore.acquire(gone.signal)).toBe('aborted')
})
