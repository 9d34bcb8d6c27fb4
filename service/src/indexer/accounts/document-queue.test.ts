import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf } from '../../testing/launch-rows.ts'
import { createDocumentQueue } from './document-queue.ts'

function start(due: Address[], refresh: (address: Address) => Promise<boolean>) {
  const stop = new AbortController()
  const recorded: [Address, boolean][] = []
  const faults: unknown[] = []
  const queue = createDocumentQueue({
    listDue: async count => due.slice(0, count),
    refresh,
    async record(address, isDone) {
      recorded.push([address, isDone])
      due.splice(due.indexOf(address), 1)
    },
    onFault: error => faults.push(error),
    signal: stop.signal,
  })
  const running = queue.run()
  onTestFinished(async () => {
    stop.abort()
    await running
  })
  return { queue, recorded, faults }
}

const [good, bad, broken] = ['good', 'bad', 'broken'].map(addressOf) as [Address, Address, Address]

test('the outcome of every due refresh is recorded, even if it throws', async () => {
  const { recorded, faults } = start([good, bad, broken], async address => {
    if (address === broken) throw new Error('the chain is down')
    return address === good
  })
  await expect.poll(() => recorded.length).toBe(3)
  expect(new Map(recorded)).toEqual(
    new Map([
      [good, true],
      [bad, false],
      [broken, false],
    ]),
  )
  expect(faults).toHaveLength(1)
})

test('documents are fetched a few at a time and at a bounded rate', async () => {
  const due = Array.from({ length: 200 }, (_, at) => addressOf(`${at}`))
  let running = 0
  let most = 0
  const startMs = performance.now()
  const { recorded } = start(due, async () => {
    running += 1
    most = Math.max(most, running)
    await sleep(1)
    running -= 1
    return true
  })
  await expect.poll(() => recorded.length, { timeout: 20_000 }).toBeGreaterThan(30)
  expect(most).toBeLessThanOrEqual(3)
  // A batch of 30 takes at least 1.2 seconds. On a busy machine, timers end early.
  expect(performance.now() - startMs).toBeGreaterThan(1_000)
})

test('an agent that has just changed does not wait for slow hosts of others', async () => {
  const due = Array.from({ length: 30 }, (_, at) => addressOf(`${at}`))
  const { queue, recorded } = start(due, async address => {
    if (address !== good) await sleep(60_000, undefined, { ref: false })
    return true
  })
  queue.addFirst(good)
  await expect.poll(() => recorded).toEqual([[good, true]])
})
