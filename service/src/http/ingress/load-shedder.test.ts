// @module-tag timing
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LagSample } from '../../telemetry/event-loop-lag.ts'
import { createLoadShedder } from './load-shedder.ts'
import { createTurns } from './turns.ts'

/** A shedder whose samples of the event loop the test takes. */
function startShedder() {
  let listener: (sample: LagSample) => void = () => {}
  const shedder = createLoadShedder(
    {
      noteActivity() {},
      onSample(added) {
        listener = added
      },
    },
    createTurns(),
  )
  return {
    ...shedder,
    admitAll: (count: number) => Array.from({ length: count }, shedder.admit).filter(Boolean).length,
    releaseAll: (count: number) => void Array.from({ length: count }, shedder.release),
    /** Each sample comes long after the one before. */
    async sample(workMs: number, times = 1) {
      for (let at = 0; at < times; at += 1) {
        await sleep(at < 3 ? 51 : 0)
        listener({ workMs, lagMs: workMs })
      }
    },
  }
}

test('while the turns of the event loop are short, a thousand requests may be in flight', () => {
  const { admitAll, release, admit } = startShedder()
  expect(admitAll(2_000)).toBe(1_000)
  release()
  expect([admit(), admit()]).toEqual([true, false])
})

test('while the turns are long, fewer are admitted, in proportion, but never fewer than 16', async () => {
  const { admitAll, releaseAll, sample } = startShedder()
  const admitted = []
  for (let round = 0; round < 12; round += 1) {
    const count = admitAll(2_000)
    admitted.push(count)
    releaseAll(count)
    await sample(20)
  }
  expect(admitted.slice(0, 5)).toEqual([1_000, 1_000, 1_000, 500, 250])
  expect(admitted.at(-1)).toBe(16)
})

test('one or two long turns change nothing', async () => {
  const { admitAll, sample } = startShedder()
  await sample(500, 2)
  await sample(1)
  await sample(500, 2)
  expect(admitAll(2_000)).toBe(1_000)
})

test('after overload, a thousand may be in flight again after half a second of samples', async () => {
  const { admitAll, releaseAll, sample } = startShedder()
  await sample(50, 20)
  const count = admitAll(2_000)
  expect(count).toBe(16)
  releaseAll(count)
  await sample(1, 25)
  expect(admitAll(2_000)).toBe(1_000)
})

test('even prepared answers are refused if the turns take a quarter of a second', async () => {
  const { isOverwhelmed, sample } = startShedder()
  await sample(100, 10)
  expect(isOverwhelmed()).toBe(false)
  await sample(300)
  expect(isOverwhelmed()).toBe(true)
  await sample(1)
  expect(isOverwhelmed()).toBe(false)
})

function work(ms: number) {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('requests that arrive together start in order, for some milliseconds per turn of the event loop', async () => {
  const { start } = startShedder()
  const started: number[] = []
  const push = (at: number, ms: number) =>
    start({
      async work() {
        started.push(at)
        await undefined
        work(ms)
      },
      refuse: () => started.push(at),
    })
  push(0, 6)
  await undefined
  for (let at = 1; at < 20; at += 1) push(at, 2)
  expect(started).toEqual([0])
  await nextTurn()
  expect(started.length).toBeLessThanOrEqual(4)
  push(20, 0)
  await expect.poll(() => started).toEqual(Array.from({ length: 21 }, (_, at) => at))
})

test('a queue that does not end counts as overload', async () => {
  const { start, admitAll, releaseAll, sample } = startShedder()
  expect(admitAll(500)).toBe(500)
  let isOver = false
  const push = () => {
    if (isOver) return
    start({ work: () => work(6), refuse() {} })
    start({ work() {}, refuse() {} })
    setImmediate(push)
  }
  push()
  await sample(1, 3)
  isOver = true
  releaseAll(500)
  expect(admitAll(2_000)).toBe(400)
})

test('a request that waits half a second is refused', async () => {
  const { start } = startShedder()
  const ends: string[] = []
  start({ work: () => work(10), refuse() {} })
  start({ work: () => ends.push('started'), refuse: () => ends.push('refused') })
  work(510)
  start({ work: () => ends.push('started'), refuse: () => ends.push('refused') })
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  expect(ends).toEqual(['refused', 'started'])
})
