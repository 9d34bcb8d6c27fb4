// @module-tag timing
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createReadScheduler } from './read-scheduler.ts'

const NEVER_MS = 2 ** 30
const quick = { auditMs: NEVER_MS, recheckMs: NEVER_MS, graceMs: 20, pollMs: 30, sweepMs: NEVER_MS }

function startLoop({ limits = quick, readAll = async () => 1 } = {}) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const said: string[] = []
  const loop = createReadScheduler({
    async readAll() {
      said.push('read')
      return readAll()
    },
    hasMissing: () => false,
    sweep: async () => {},
    limits,
    onMode: (mode, reason) => said.push(`${mode}: ${reason}`),
    onRepaired: ({ reason, isGap }) => said.push(`${isGap ? 'repaired' : 'read'}: ${reason}`),
    onFault: () => said.push('fault'),
    signal: stop.signal,
  })
  loop.run()
  return { loop, said, reads: () => said.filter(word => word === 'read').length }
}

test('once subscribed, everything is read once, and again only for a reason', async () => {
  const { loop, said, reads } = startLoop()
  loop.subscribed()
  await expect.poll(() => loop.isUpToDate()).toBe(true)
  await sleep(300)
  expect(said).toEqual(['live: changes are reported', 'read', 'read: start'])
  // Everything was read a moment ago, so an unreported slot is no reason to read it again.
  loop.suspect('a slot was not reported')
  await sleep(300)
  expect(reads()).toBe(1)
  loop.request('the subscribed node is behind')
  expect(loop.isUpToDate()).toBe(false)
  await expect.poll(() => said.at(-1)).toBe('repaired: the subscribed node is behind')
  expect(loop.isUpToDate()).toBe(true)
})

test('polling starts only if the subscription does not come back in time', async () => {
  const { loop, said, reads } = startLoop({ limits: { ...quick, graceMs: 400 } })
  loop.subscribed()
  await expect.poll(reads).toBe(1)
  expect(loop.unsubscribed('closed')).toBe(true)
  expect(loop.unsubscribed('closed again')).toBe(false)
  expect(loop.isUpToDate()).toBe(false)
  loop.subscribed()
  await expect.poll(() => said.at(-1)).toBe('repaired: subscribed')
  expect(said.filter(word => word.startsWith('polling'))).toEqual([])
  loop.unsubscribed('HTTP 405')
  await expect.poll(() => said).toContain('polling: HTTP 405')
  await expect.poll(reads).toBeGreaterThan(4)
  loop.subscribed()
  await expect.poll(() => said.at(-1)).toBe('repaired: subscribed')
  expect(said).toContain('live: changes are reported')
})

test('a failed full read is repeated for the same reason', async () => {
  let failures = 2
  const { loop, said } = startLoop({
    async readAll() {
      failures -= 1
      if (failures >= 0) throw new Error('down')
      return 1
    },
  })
  loop.subscribed()
  await expect.poll(() => said.at(-1), { timeout: 5_000 }).toBe('read: start')
  expect(said.filter(word => word === 'fault')).toHaveLength(2)
})
