import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createReadLoop } from './read-loop.ts'

const NEVER_MS = 2 ** 30
const quick = { auditMs: NEVER_MS, doubtMs: NEVER_MS, graceMs: 20, pollMs: 30, sweepMs: NEVER_MS }

function startLoop({ limits = quick, readAll = async () => 1 } = {}) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const said: string[] = []
  const loop = createReadLoop({
    async readAll() {
      said.push('read')
      return readAll()
    },
    hasDoubts: () => false,
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

test('once subscribed everything is read once, and again only for a reason', async () => {
  const { loop, said, reads } = startLoop()
  loop.live()
  await expect.poll(() => loop.isSure()).toBe(true)
  await sleep(300)
  expect(said).toEqual(['live: changes are told', 'read', 'read: start'])
  // Everything was read a moment ago: a slot that was not told is no reason.
  loop.suspect('a slot was not told')
  await sleep(300)
  expect(reads()).toBe(1)
  loop.want('the subscribed node is behind')
  expect(loop.isSure()).toBe(false)
  await expect.poll(() => said.at(-1)).toBe('repaired: the subscribed node is behind')
  expect(loop.isSure()).toBe(true)
})

test('a subscription that comes back in time is no reason to poll; one that does not is', async () => {
  const { loop, said, reads } = startLoop({ limits: { ...quick, graceMs: 400 } })
  loop.live()
  await expect.poll(reads).toBe(1)
  expect(loop.down('closed')).toBe(true)
  expect(loop.down('closed again')).toBe(false)
  expect(loop.isSure()).toBe(false)
  loop.live()
  await expect.poll(() => said.at(-1)).toBe('repaired: subscribed')
  expect(said.filter(word => word.startsWith('polling'))).toEqual([])
  loop.down('HTTP 405')
  await expect.poll(() => said).toContain('polling: HTTP 405')
  await expect.poll(reads).toBeGreaterThan(4)
  loop.live()
  await expect.poll(() => said.at(-1)).toBe('repaired: subscribed')
  expect(said).toContain('live: changes are told')
})

test('a reading that fails is done again, for the same reason', async () => {
  let failures = 2
  const { loop, said } = startLoop({
    async readAll() {
      failures -= 1
      if (failures >= 0) throw new Error('down')
      return 1
    },
  })
  loop.live()
  await expect.poll(() => said.at(-1), { timeout: 5_000 }).toBe('read: start')
  expect(said.filter(word => word === 'fault')).toHaveLength(2)
})
