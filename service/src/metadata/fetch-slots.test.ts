import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFetchSlots } from './fetch-slots.ts'

const limits = {
  total: 4,
  perSite: 2,
  backgroundMax: 3,
  waitingMax: 100,
  waitingPerSiteMax: 50,
  waitMsMax: 10_000,
}
const foreground = { background: false }

test('free places go to the sites in turn, and within a site in order', async () => {
  const slots = createFetchSlots({ ...limits, total: 1, perSite: 1 })
  const order: string[] = []
  const run = (site: string, name: string) =>
    slots.run(
      site,
      async () => {
        order.push(name)
        await sleep(1)
      },
      foreground,
    )
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map(name => run('a', name)),
    ...['b1', 'b2'].map(name => run('b', name)),
    run('c', 'c1'),
  ])
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('callers who wait go before background work', async () => {
  const slots = createFetchSlots({ ...limits, total: 1 })
  const order: string[] = []
  const run = (name: string, background: boolean) =>
    slots.run(
      name,
      async () => {
        order.push(name)
        await sleep(1)
      },
      { background },
    )
  await Promise.all([run('first', false), run('back', true), run('front', false)])
  expect(order).toEqual(['first', 'front', 'back'])
})

test('who waits too long is turned away and leaves no trace', async () => {
  const slots = createFetchSlots({ ...limits, perSite: 1, waitMsMax: 20 })
  let finish = () => {}
  const first = slots.run('a', () => new Promise<void>(resolve => (finish = resolve)), foreground)
  await expect(slots.run('a', async () => {}, foreground)).rejects.toMatchObject({
    failure: { reason: 'busy', detail: 'wait' },
  })
  expect(slots.stats()).toEqual({ running: 1, waiting: 0 })
  finish()
  await first
  expect(await slots.run('a', async () => 'again', foreground)).toBe('again')
  expect(slots.stats()).toEqual({ running: 0, waiting: 0 })
})

test('both lines are bounded, each for itself', async () => {
  const slots = createFetchSlots({
    ...limits,
    total: 1,
    backgroundMax: 1,
    waitingMax: 3,
    waitingPerSiteMax: 2,
  })
  const work = () => new Promise<void>(() => {})
  void slots.run('x', work, foreground)
  const ask = async (site: string, background: boolean) => {
    const result = await Promise.race([
      slots.run(site, work, { background }).catch(error => error.failure.reason),
      sleep(5, 'waits'),
    ])
    return result
  }
  expect(await Promise.all(['a', 'a', 'a', 'b', 'c'].map(site => ask(site, false)))).toEqual([
    'waits',
    'waits',
    'busy',
    'waits',
    'busy',
  ])
  expect(await ask('a', true)).toBe('waits')
})

test('however work comes and ends, the limits hold, everything runs and every place is given back', async () => {
  const job = fc.record({
    site: fc.constantFrom('a', 'b', 'c'),
    background: fc.boolean(),
    turns: fc.nat(3),
    fails: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 40 }), async jobs => {
      const slots = createFetchSlots(limits)
      const running: { site: string; background: boolean }[] = []
      let ran = 0
      await Promise.allSettled(
        jobs.map(({ site, background, turns, fails }) =>
          slots.run(
            site,
            async () => {
              const mine = { site, background }
              running.push(mine)
              ran += 1
              expect(running.length).toBeLessThanOrEqual(limits.total)
              expect(running.filter(other => other.site === site).length).toBeLessThanOrEqual(limits.perSite)
              expect(running.filter(other => other.background).length).toBeLessThanOrEqual(
                limits.backgroundMax,
              )
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
              running.splice(running.indexOf(mine), 1)
              if (fails) throw new Error('failed')
            },
            { background },
          ),
        ),
      ).then(outcomes => {
        const wrong = outcomes.filter(
          outcome => outcome.status === 'rejected' && outcome.reason.message !== 'failed',
        )
        expect(wrong).toEqual([])
      })
      expect(ran).toBe(jobs.length)
      expect(slots.stats()).toEqual({ running: 0, waiting: 0 })
    }),
  )
})
