import { landedBuy } from '@slipway/launch-model/testing/landed-calls'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { saveBuckets } from '../../store/buckets.ts'
import { insertLaunches } from '../../store/launches.ts'
import { findTradeProgress, readTradesProgress } from '../../store/trade-progress.ts'
import { readStored } from '../../testing/landed-trades.ts'
import { addressOf, launchRows } from '../../testing/launch-rows.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createFakeHistory, type FakeTransaction } from '../testing/fake-history.ts'
import { followTrades } from './follow-trades.ts'
import { readLaunch } from './read-launch.ts'
import { createTurns } from './turns.ts'

const network: Network = 'chain-mainnet'
const PER_SECOND = 200
const BURST = PER_SECOND
const SPAM = 10_000
const timeout = 60_000

const genesisOf = (name: string) => addressOf(`launch ${name}`)
const boughtIn = (name: string, at: number): FakeTransaction => ({
  signature: `buy ${at}`,
  slot: 500 + at,
  calls: landedBuy(
    {
      genesis: genesisOf(name),
      curve: addressOf(`curve ${name}`),
      mint: addressOf(`mint ${name}`),
      trader: addressOf('trader'),
    },
    { paid: 1_000n, fee: 20n, received: 5_000n },
  ),
})

async function prepare(names: readonly string[]) {
  const { database } = await createTestDatabase()
  await insertLaunches(
    database,
    names.map(name => launchRows(name)),
  )
  const buckets = names.map(name => ({
    network,
    address: addressOf(`curve ${name}`),
    genesisAddress: genesisOf(name),
    kind: 'bondingCurveV2' as const,
    slot: 1,
  }))
  await database.run('test', db => saveBuckets(db, buckets))
  return database
}

test('10,000 worthless transactions that name a launch use no more than the budget, and delay no other launch', async () => {
  const names = ['spammed', 'honest']
  const database = await prepare(names)
  const spam = Array.from({ length: SPAM }, (_, at) => ({ signature: `spam ${at}`, slot: 10 + at }))
  const honest: FakeTransaction[] = [
    { signature: 'created', slot: 1, creates: genesisOf('honest') },
    boughtIn('honest', 0),
  ]
  const rpc = createFakeHistory(
    new Map([
      [genesisOf('spammed'), [{ signature: 'start', slot: 1, creates: genesisOf('spammed') }, ...spam]],
      [genesisOf('honest'), honest],
    ]),
  )
  const stopped = new AbortController()
  let requests = 0
  const startMs = performance.now()
  const trades = followTrades({
    network,
    rpc,
    database,
    launches: new Set(names.map(genesisOf)),
    limits: { tradesPerSecond: PER_SECOND, tradesMs: 10_000, tradesAliveMs: 1_000 },
    observer: {
      onRequest() {
        requests += 1
        expect(requests).toBeLessThanOrEqual(BURST + 1 + ((performance.now() - startMs) / 1_000) * PER_SECOND)
      },
      onStored() {},
      onBehind() {},
      onFault(error) {
        throw error
      },
    },
    signal: stopped.signal,
  })
  const done = trades.run()
  onTestFinished(async () => {
    stopped.abort()
    await done
  })
  const progressOf = (name: string) => readTradesProgress(database, network, genesisOf(name))
  await expect.poll(() => progressOf('honest'), { timeout }).toEqual({ complete: true, reason: null })
  for (let at = 1; at <= 3; at++) {
    honest.push(boughtIn('honest', at))
    trades.report(genesisOf('honest'))
    await expect.poll(async () => (await readStored(database)).length, { timeout }).toBe(at + 1)
    expect(await progressOf('spammed')).toEqual({
      complete: false,
      reason: 'Some transactions of this launch have not been read yet.',
    })
  }
  expect(rpc.requests).toBeLessThanOrEqual(requests)
  expect(rpc.requests).toBeLessThan(SPAM)
})

test('a fork of a launch that always has news is noticed, and what is final is forgotten', async () => {
  const genesis = genesisOf('busy')
  const database = await prepare(['busy'])
  const history: FakeTransaction[] = [{ signature: 'created', slot: 1, creates: genesis }]
  const rpc = createFakeHistory(new Map([[genesis, history]]))
  const parts = { network, rpc, database, budget: { take: async () => {} }, pools: { of: async () => [] } }
  const recent: number[] = []
  for (let at = 0; at < 400; at += 10) {
    history.push(boughtIn('busy', at))
    rpc.tip = 500 + at
    expect(await readLaunch(parts, genesis)).toMatchObject({ stored: 1, isNews: true })
    if (at === 200) history.pop()
    const [progress] = await findTradeProgress(database, network, genesis)
    recent.push(progress?.recent.length ?? 0)
  }
  expect(Math.max(...recent)).toBeLessThan(15)
  const stored = (await readStored(database)).join()
  expect(stored).toContain('buy 190')
  expect(stored).not.toContain('buy 200')
})

const turn = {
  stored: 0,
  isNews: true,
  hasMore: false,
  isBehind: false,
  isUnsettled: false,
  isRefused: false,
  isLate: false,
  hasPool: false,
  fault: undefined,
}

test('a launch that always has more to read holds up no other one, and a hint during a turn is not lost', () => {
  let nowMs = 0
  const turns = createTurns(1_000, () => nowMs)
  const names = ['a', 'b', 'c'] as Address[]
  turns.add(new Set(names))
  const order: (Address | undefined)[] = []
  const run = (hasMore: (name: Address) => boolean) => {
    nowMs += 1
    const { launch } = turns.next()
    order.push(launch)
    if (launch) turns.ended(launch, { ...turn, hasMore: hasMore(launch) })
  }
  for (let count = 0; count < 6; count++) run(name => name === 'a')
  expect(order).toEqual(['a', 'a', 'b', 'a', 'c', 'a'])
  turns.hint('c' as Address)
  order.length = 0
  for (let count = 0; count < 3; count++) run(name => name === 'a')
  expect(order).toContain('c')

  nowMs += 2_000
  const { launch } = turns.next()
  turns.hint(launch as Address)
  turns.ended(launch as Address, turn)
  nowMs += 1
  const seen = [turns.next().launch]
  for (let count = 0; count < 3; count++) {
    turns.ended(seen.at(-1) as Address, turn)
    seen.push(turns.next().launch)
  }
  expect(seen).toContain(launch)
})

test('a launch that something happens to is read before hundreds that are only looked at', () => {
  let nowMs = 0
  const turns = createTurns(10_000, () => nowMs)
  const calm = Array.from({ length: 300 }, (_, at) => `calm ${at}` as Address)
  const live = ['live 1', 'live 2', 'live 3'] as Address[]
  turns.add(new Set([...calm, ...live]))
  const order: (Address | undefined)[] = []
  for (let count = 0; count < 60; count++) {
    for (const name of live) turns.hint(name)
    nowMs += 100
    const { launch } = turns.next()
    order.push(launch)
    if (launch) turns.ended(launch, turn)
  }
  expect(order.slice(0, 4).toSorted()).toEqual(['calm 0', ...live])
  expect(new Set(order).size).toBe(20 + live.length)
})

test.each([
  [{ hasPool: true }, 30_000],
  [{ isBehind: true }, 600_000],
  [{}, 3_600_000],
])('a launch that nothing happens to (%o) is looked at at least every %i ms', (more, pauseMs) => {
  let nowMs = 0
  const turns = createTurns(10_000, () => nowMs)
  const launch = 'quiet' as Address
  turns.add(new Set([launch]))
  for (let count = 0; count < 12; count++) {
    expect(turns.next().launch).toBe(launch)
    turns.ended(launch, { ...turn, isNews: false, ...more })
    nowMs += turns.next().waitMs
  }
  const sinceMs = nowMs
  turns.next()
  turns.ended(launch, { ...turn, isNews: false, ...more })
  expect(turns.next().waitMs).toBe(pauseMs)
  nowMs = sinceMs + 5
  turns.hint(launch)
  expect(turns.next().launch).toBe(launch)
})

test('a launch whose turn fails waits longer each time, whatever happens to it, and the others go on', () => {
  let nowMs = 0
  const turns = createTurns(10_000, () => nowMs)
  const [failing, other] = ['failing', 'other'] as [Address, Address]
  turns.add(new Set([failing, other]))
  const failedAt: number[] = []
  let others = 0
  for (; nowMs < 40_000; nowMs += 500) {
    turns.hint(other)
    turns.hint(failing)
    for (let { launch } = turns.next(); launch; { launch } = turns.next()) {
      if (launch === other) turns.ended(other, turn)
      else turns.failed(failing, 'failed')
      if (launch === failing) failedAt.push(nowMs)
      else others += 1
    }
  }
  expect(failedAt).toEqual([0, 1_000, 3_000, 7_000, 15_000, 31_000])
  expect(others).toBe(80)
})

test('a launch that waits after a hint is overdue, one that is only looked at is not', () => {
  let nowMs = 0
  const turns = createTurns(10_000, () => nowMs)
  const [calm, live] = ['calm', 'live'] as [Address, Address]
  turns.add(new Set([calm, live]))
  nowMs = 60_000
  expect(turns.overdueMs()).toBe(0)
  turns.hint(live)
  expect(turns.overdueMs()).toBe(0)
  nowMs = 100_000
  expect(turns.overdueMs()).toBe(40_000)
  expect(turns.next().launch).toBe(live)
  turns.ended(live, turn)
  expect(turns.overdueMs()).toBe(0)
})

test('trades are not complete while no request succeeds, and are again afterwards', async () => {
  const genesis = genesisOf('cut off')
  const database = await prepare(['cut off'])
  const history: FakeTransaction[] = [{ signature: 'created', slot: 1, creates: genesis }]
  const rpc = createFakeHistory(new Map([[genesis, history]]))
  const { fetchSignatures } = rpc
  const stopped = new AbortController()
  let faults = 0
  const done = followTrades({
    network,
    rpc: { ...rpc, fetchSignatures: (...asked) => rpc.fetchSignatures(...asked) },
    database,
    launches: new Set([genesis]),
    limits: { tradesPerSecond: PER_SECOND, tradesMs: 100, tradesAliveMs: 50 },
    observer: { onRequest() {}, onStored() {}, onBehind() {}, onFault: () => faults++ },
    signal: stopped.signal,
  }).run()
  onTestFinished(async () => {
    stopped.abort()
    await done
  })
  const progress = () => readTradesProgress(database, network, genesis)
  const forget = () =>
    database.run('test', db => db.execute(sql`UPDATE trade_reading SET at = now() - interval '2 minutes'`))
  await expect.poll(progress, { timeout }).toEqual({ complete: true, reason: null })
  await forget()
  await expect.poll(progress, { timeout }).toEqual({ complete: true, reason: null })

  rpc.fetchSignatures = () => Promise.reject(new Error('down'))
  await expect.poll(() => faults, { timeout }).toBeGreaterThan(3)
  await forget()
  const before = faults
  await expect.poll(() => faults, { timeout }).toBeGreaterThan(before + 1)
  expect(await progress()).toEqual({ complete: false, reason: 'Trades are not being read at the moment.' })

  rpc.fetchSignatures = fetchSignatures
  await expect.poll(progress, { timeout }).toEqual({ complete: true, reason: null })
})
