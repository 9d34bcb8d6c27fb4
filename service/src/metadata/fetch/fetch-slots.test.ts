import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFetchSlots, siteOf } from './fetch-slots.ts'

const limits = {
  total: 4,
  perSite: 2,
  backgroundMax: 3,
  waitingMax: 100,
  waitingPerSiteMax: 50,
  waitMsMax: 10_000,
}
const foreground = { background: false }

test('free slots go to the sites in turn, and within a site in order of arrival', async () => {
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

test('foreground fetches start before background fetches', async () => {
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

test('a fetch that waits too long is refused and frees its place in the queue', async () => {
  const slots = createFetchSlots({
    ...limits,
    perSite: 1,
    waitMsMax: 20,
    waitingMax: 1,
    waitingPerSiteMax: 1,
  })
  let finish = () => {}
  const first = slots.run('a', () => new Promise<void>(resolve => (finish = resolve)), foreground)
  for (let times = 0; times < 3; times += 1)
    await expect(slots.run('a', async () => {}, foreground)).rejects.toMatchObject({
      failure: { reason: 'busy', detail: 'wait' },
    })
  finish()
  await first
  expect(await slots.run('a', async () => 'again', foreground)).toBe('again')
})

test('the foreground and background queues are bounded separately', async () => {
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

test('in any order of arrival and completion the limits hold, all work runs and every slot is released', async () => {
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
      let started = 0
      const hold = () => {
        started += 1
        return new Promise<void>(() => {})
      }
      for (const site of ['a', 'a', 'b', 'b']) void slots.run(site, hold, foreground)
      expect(started).toBe(limits.total)
    }),
  )
})

test.each([
  ['example.com', 'example.com'],
  ['a.b.example.com', 'example.com'],
  ['a.example.com.', 'example.com'],
  ['a.example.co.uk', 'example.co.uk'],
  ['shop.example.com.br', 'example.com.br'],
  ['localhost', 'localhost'],
  ['203.0.113.7', '203.0.113.7'],
  ['2606:4700::1', '9734:18176:0'],
  ['2606:4700:0:1:2:3:4:5', '9734:18176:0'],
])('%s belongs to the site %s', (host, site) => {
  expect(siteOf(host)).toBe(site)
})
