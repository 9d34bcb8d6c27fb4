import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test } from 'vitest'
import { addressOf } from '../../testing/launch-rows.ts'
import { createDocumentQueue, type InTurn } from './document-queue.ts'

function start(due: Address[], refresh: (address: Address, inTurn: InTurn) => Promise<boolean | undefined>) {
  const stop = new AbortController()
  const recorded: [Address, boolean][] = []
  const faults: unknown[] = []
  const queue = createDocumentQueue({
    listDue: async (count, except) => due.filter(address => !except.includes(address)).slice(0, count),
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

test('work on the chain and in the store is done a little at a time and at a bounded rate', async () => {
  const due = Array.from({ length: 200 }, (_, at) => addressOf(`${at}`))
  let running = 0
  let most = 0
  const startMs = performance.now()
  const { recorded } = start(due, (_, inTurn) =>
    inTurn(async () => {
      running += 1
      most = Math.max(most, running)
      await sleep(1)
      running -= 1
      return true
    }),
  )
  await expect.poll(() => recorded.length, { timeout: 20_000 }).toBeGreaterThan(30)
  expect(most).toBeLessThanOrEqual(3)
  // A batch of 30 takes at least 1.2 seconds. On a busy machine, timers end early.
  expect(performance.now() - startMs).toBeGreaterThan(1_000)
})

test('no agent waits for the documents of others, whether it has just changed or is due', async () => {
  const slow = Array.from({ length: 29 }, (_, at) => addressOf(`${at}`))
  const { queue, recorded } = start([...slow, good], async address => {
    if (slow.includes(address)) await sleep(60_000, undefined, { ref: false })
    return true
  })
  await expect.poll(() => recorded).toEqual([[good, true]])
  for (let at = 0; at < 100; at += 1) queue.addFirst(addressOf(`slow ${at}`))
  await expect.poll(() => recorded.length).toBe(101)
})

test('an agent that changes during its refresh is refreshed again, and one without a turn stays due', async () => {
  let finish = () => {}
  const refreshed: Address[] = []
  const { queue, recorded } = start([bad], async address => {
    refreshed.push(address)
    if (address === bad) return undefined
    await new Promise<void>(resolve => (finish = resolve))
    return true
  })
  queue.addFirst(good)
  queue.addFirst(good)
  await expect.poll(() => refreshed).toContain(bad)
  finish()
  await expect.poll(() => refreshed.filter(address => address === good)).toHaveLength(2)
  finish()
  await expect
    .poll(() => recorded)
    .toEqual([
      [good, true],
      [good, true],
    ])
})
