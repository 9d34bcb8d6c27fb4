import { expect, test } from 'vitest'
import { createHeavyQueries } from './heavy-queries.ts'

test.each([
  [10, 3],
  [5, 2],
  [3, 1],
  [1, 1],
])('of %i connections, heavy queries use %i at once', async (connections, expected) => {
  const runHeavy = createHeavyQueries(connections)
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
  }
  await Promise.all(Array.from({ length: 12 }, () => runHeavy(work)))
  expect(most).toBe(expected)
})

test('a query that fails leaves its turn to the next one', async () => {
  const runHeavy = createHeavyQueries(1)
  await expect(runHeavy(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await runHeavy(async () => 1)).toBe(1)
})
