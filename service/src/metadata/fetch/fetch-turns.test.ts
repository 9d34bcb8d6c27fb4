import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type DocumentResult, failure } from '../fetched-document.ts'
import { createFetchTurns, siteOf, type Turn } from './fetch-turns.ts'

const LIMITS = { slots: 12, perSite: 4, perGateway: 8, waitingMax: 500, fetchMsMax: 5_000 }
const FINE: DocumentResult = { ok: true, value: {}, text: '{}', bytes: 2 }
const TIMEOUT = failure('timeout')

/** Fetches that end when the test says so. */
function startTurns(limits: Partial<typeof LIMITS & { waitMsMax: number }> = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const turns = createFetchTurns({ ...LIMITS, ...limits })
  /** By name, in the order in which they started. */
  const running = new Map<string, (result: DocumentResult) => void>()
  const results = new Map<string, DocumentResult>()
  const run = (name: string, turn: Turn) =>
    void turns
      .run(turn, () => new Promise(resolve => running.set(name, resolve)))
      .catch(refused => refused.failure)
      .then(result => results.set(name, result))
  async function end(name: string, result: DocumentResult) {
    running.get(name)?.(result)
    running.delete(name)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { run, end, results, running: () => [...running.keys()] }
}

test.each([
  ['of one owner', (at: number) => ({ site: `${at}`, owner: 'one' }), { site: 'honest' }],
  ['on one site', (at: number) => ({ site: 'one', owner: `${at}` }), { site: 'honest' }],
  [
    'on sites of their own, of many owners',
    (at: number) => ({ site: `${at}`, owner: `${at}` }),
    { site: 'honest' },
  ],
  [
    'behind the gateway',
    (at: number) => ({ site: 'gateway', isGateway: true, owner: `${at}` }),
    { site: 'gateway', isGateway: true },
  ],
])('a document has its turn within two seconds beside 1,000 that hang %s', async (_, turnOf, honest) => {
  const world = startTurns()
  const sinceMs = new Map<string, number>()
  /** Every document times out after five seconds. */
  async function hangFor(ms: number) {
    for (let passedMs = 0; passedMs < ms && !world.running().includes('honest'); passedMs += 250) {
      for (const name of world.running()) {
        const since = sinceMs.get(name) ?? performance.now()
        sinceMs.set(name, since)
        if (performance.now() - since >= LIMITS.fetchMsMax) await world.end(name, TIMEOUT)
      }
      await vi.advanceTimersByTimeAsync(250)
    }
  }
  for (let at = 0; at < 1_000; at += 1) world.run(`${at}`, turnOf(at))
  await hangFor(12_000)
  world.run('honest', { ...honest, owner: 'honest' })
  await hangFor(2_000)
  expect(world.running()).toContain('honest')
})

test('a site that timed out has one slot until it answers, and so has an owner', async () => {
  for (const turnOf of [
    (at: number) => ({ site: 'one', owner: `${at}` }),
    (at: number) => ({ site: `${at}`, owner: 'one' }),
  ]) {
    const { run, end, running } = startTurns()
    for (let at = 0; at < 10; at += 1) run(`${at}`, turnOf(at))
    expect(running()).toEqual(['0', '1', '2', '3'])
    for (const name of running()) await end(name, TIMEOUT)
    expect(running()).toEqual(['9'])
    await end('9', FINE)
    expect(running()).toHaveLength(4)
    vi.useRealTimers()
  }
})

test('an owner whose document timed out waits behind nobody on a site that answers', async () => {
  const { run, end, running } = startTurns({ slots: 1 })
  run('hangs', { site: 'a', owner: 'victim' })
  await end('hangs', TIMEOUT)
  run('runs', { site: 'b', owner: 'other' })
  run('victim', { site: 'c', owner: 'victim' })
  run('next', { site: 'd', owner: 'other' })
  await end('runs', FINE)
  expect(running()).toEqual(['victim'])
})

test('a timeout says nothing about a gateway', async () => {
  const { run, end, running } = startTurns()
  for (let at = 0; at < 6; at += 1) run(`${at}`, { site: 'gateway', isGateway: true, owner: `${at}` })
  const started = running()
  expect(started).toHaveLength(5)
  for (const name of started) await end(name, TIMEOUT)
  for (let at = 10; at < 14; at += 1) run(`${at}`, { site: 'gateway', isGateway: true, owner: `${at}` })
  expect(running()).toHaveLength(5)
})

test('sites take turns, and the newest document of a site comes first', async () => {
  const { run, end, running } = startTurns({ slots: 1 })
  const order: string[] = []
  for (const [name, site] of [
    ['a1', 'a'],
    ['b1', 'b'],
    ['b2', 'b'],
    ['a2', 'a'],
    ['a3', 'a'],
  ] as const)
    run(name, { site })
  for (let [name] = running(); name; [name] = running()) {
    order.push(name)
    await end(name, FINE)
  }
  expect(order).toEqual(['a1', 'b2', 'a3', 'b1', 'a2'])
})

test('the last in line gives way if too many wait, and fails if its site does not answer', async () => {
  const { run, end, results, running } = startTurns({ slots: 1, waitingMax: 2 })
  run('hangs', { site: 'a' })
  await end('hangs', TIMEOUT)
  run('runs', { site: 'b' })
  for (const [name, site] of [
    ['a1', 'a'],
    ['c1', 'c'],
    ['c2', 'c'],
    ['d1', 'd'],
  ] as const)
    run(name, { site })
  await vi.advanceTimersByTimeAsync(0)
  expect([...results].slice(1)).toEqual([
    ['a1', failure('timeout', 'queue')],
    ['c1', failure('busy', 'queue')],
  ])
  await end('runs', FINE)
  expect(running()).toEqual(['d1'])
})

test('a caller that waits too long is refused and leaves the line', async () => {
  const { run, end, results, running } = startTurns({ slots: 1, waitMsMax: 20 })
  run('first', { site: 'a' })
  run('second', { site: 'b' })
  await vi.advanceTimersByTimeAsync(20)
  expect(results.get('second')).toEqual(failure('busy', 'wait'))
  await end('first', FINE)
  expect(running()).toEqual([])
})

test('in any order of arrival and completion the limits hold, all work runs and every slot is released', async () => {
  const limits = { ...LIMITS, slots: 4, perSite: 2, perGateway: 2, fetchMsMax: 1 }
  const job = fc.record({
    site: fc.constantFrom('a', 'b', 'c'),
    owner: fc.constantFrom(undefined, 'x', 'y'),
    turns: fc.nat(3),
    outcome: fc.constantFrom('fine', 'timeout', 'throws'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 40 }), async jobs => {
      const { run } = createFetchTurns(limits)
      const running: Turn[] = []
      let ran = 0
      await Promise.allSettled(
        jobs.map(({ site, owner, turns, outcome }) =>
          run({ site, owner }, async () => {
            const mine = { site, owner }
            running.push(mine)
            ran += 1
            expect(running.length).toBeLessThanOrEqual(limits.slots)
            expect(running.filter(other => other.site === site).length).toBeLessThanOrEqual(limits.perSite)
            if (owner) expect(running.filter(other => other.owner === owner).length).toBeLessThanOrEqual(2)
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
            running.splice(running.indexOf(mine), 1)
            if (outcome === 'throws') throw new Error('failed')
            return outcome === 'fine' ? FINE : TIMEOUT
          }),
        ),
      ).then(outcomes => {
        const wrong = outcomes.filter(
          ({ status, ...rest }) =>
            status === 'rejected' && (rest as { reason: Error }).reason.message !== 'failed',
        )
        expect(wrong).toEqual([])
      })
      expect(ran).toBe(jobs.length)
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
  ['203.0.113.7', '203.0.113'],
  ['2606:4700::1', '9734:18176:0'],
  ['2606:4700:0:1:2:3:4:5', '9734:18176:0'],
])('%s belongs to the site %s', (host, site) => {
  expect(siteOf(host)).toBe(site)
})
