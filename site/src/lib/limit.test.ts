import { expect, test } from 'vitest'
import { createLimit } from './limit.ts'

const SIGNAL = new AbortController().signal

/** A task that ends when the test calls `end`. */
function createTask() {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return { end, run: () => ended }
}

test('a task that arrives just as another ends never runs beside one that has waited', async () => {
  const limit = createLimit(1)
  const started: string[] = []
  let running = 0
  let most = 0
  const run = (name: string, task: () => Promise<void>) =>
    limit(SIGNAL, async () => {
      started.push(name)
      running += 1
      most = Math.max(most, running)
      await task()
      running -= 1
    })
  const task = createTask()
  const first = run('first', task.run)
  const second = run('second', () => Promise.resolve())
  task.end()
  // The others arrive at every point between the end of the first and the start of the second.
  const others: Promise<void>[] = []
  for (let turn = 0; turn < 10; turn += 1) {
    await undefined
    others.push(run(`turn ${turn}`, () => Promise.resolve()))
  }
  await Promise.all([first, second, ...others])
  expect(most).toBe(1)
  expect(started).toHaveLength(12)
})

test('a task that is aborted while it waits never runs, and the next one takes its place', async () => {
  const limit = createLimit(1)
  const aborted = new AbortController()
  const task = createTask()
  const first = limit(SIGNAL, task.run)
  const last = limit(SIGNAL, async () => 'ran')
  const second = limit(aborted.signal, async () => 'ran')
  aborted.abort()
  task.end()
  await first
  await expect(second).rejects.toThrow('aborted')
  expect(await last).toBe('ran')
})
