import { expect, test } from 'vitest'
import { eachInTurns } from './each-in-turns.ts'

/** Keeps the processor busy. */
function work(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('every item is handled once and in order, and other work runs in between', async () => {
  const items = Array.from({ length: 500 }, (_, at) => at)
  const handled: number[] = []
  const seen: number[] = []
  const timer = setInterval(() => seen.push(handled.length), 1)
  await eachInTurns(items, item => {
    work(0.5)
    handled.push(item)
  })
  clearInterval(timer)
  expect(handled).toEqual(items)
  expect(seen.length).toBeGreaterThan(2)
})

test('other work also runs between calls that follow one another', async () => {
  let seen = 0
  const timer = setInterval(() => {
    seen += 1
  }, 1)
  for (let call = 0; call < 100; call += 1) await eachInTurns(Array(64).fill(0), () => work(0.05))
  clearInterval(timer)
  expect(seen).toBeGreaterThan(2)
})

test('a few items are handled at once', async () => {
  const handled: string[] = []
  const done = eachInTurns(['a', 'b'], item => handled.push(item))
  expect(handled).toEqual(['a', 'b'])
  await done
})

test('an item that fails ends the work', async () => {
  const fail = () => {
    throw new Error('no')
  }
  await expect(eachInTurns([1], fail)).rejects.toThrow('no')
})
