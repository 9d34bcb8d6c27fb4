import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createReadScheduler } from './read-scheduler.ts'

const NEVER_MS = 2 ** 30
const quick = {
  auditMs: NEVER_MS,
  recheckMs: NEVER_MS,
  graceMs: 20,
  pollMs: 30,
  sweepMs: NEVER_MS,
  retryMs: 250,
}

function startLoop({ limits = quick, readAll = async () => 1 } = {}) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const events: string[] = []
  const loop = createReadScheduler({
    async readAll() {
      events.push('read')
      return readAll()
    },
    hasMissing: () => false,
    sweep: async () => {},
    limits,
    onMode: (mode, reason) => events.push(`${mode}: ${reason}`),
    onRepaired: ({ reason, isGap }) => events.push(`${isGap ? 'repaired' : 'read'}: ${reason}`),
    onFault: () => events.push('fault'),
    signal: stop.signal,
  })
  loop.run()
  return { loop, events, reads: () => events.filter(event => event === 'read').length }
}

test('once subscribed, everything is read once, and again only for a reason', async () => {
  const { loop, events, reads } = startLoop()
  loop.subscribed()
  await expect.poll(() => loop.isUpToDate()).toBe(true)
  await sleep(300)
  expect(events).toEqual(['live: changes are reported', 'read', 'read: start'])
  // Everything was read a moment ago, so an unreported slot is no reason to read it again.
  loop.requestIfStale('a slot was not reported')
  await sleep(300)
  expect(reads()).toBe(1)
  loop.request('the subscribed node is behind')
  expect(loop.isUpToDate()).toBe(false)
  await expect.poll(() => events.at(-1)).toBe('repaired: the subscribed node is behind')
  expect(loop.isUpToDate()).toBe(true)
})

test('polling starts only if the subscription does not come back in time', async () => {
  const { loop, events, reads } = startLoop({ limits: { ...quick, graceMs: 400 } })
  loop.subscribed()
  await expect.poll(reads).toBe(1)
  expect(loop.unsubscribed('closed')).toBe(true)
  expect(loop.unsubscribed('closed again')).toBe(false)
  expect(loop.isUpToDate()).toBe(false)
  loop.subscribed()
  await expect.poll(() => events.at(-1)).toBe('repaired: subscribed')
  expect(events.filter(event => event.startsWith('polling'))).toEqual([])
  loop.unsubscribed('HTTP 405')
  await expect.poll(() => events).toContain('polling: HTTP 405')
  await expect.poll(reads).toBeGreaterThan(4)
  loop.subscribed()
  await expect.poll(() => events.at(-1)).toBe('repaired: subscribed')
  expect(events).toContain('live: changes are reported')
})

test('a failed full read is repeated for the same reason', async () => {
  let failures = 2
  const { loop, events } = startLoop({
    async readAll() {
      failures -= 1
      if (failures >= 0) throw new Error('down')
      return 1
    },
  })
  loop.subscribed()
  await expect.poll(() => events.at(-1), { timeout: 30_000 }).toBe('read: start')
  expect(events.filter(event => event === 'fault')).toHaveLength(2)
})
