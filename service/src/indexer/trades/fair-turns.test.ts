import { type LandedCall, UnreadableData } from '@slipway/launch-model/history/transaction'
import { TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import { landedBuy } from '@slipway/launch-model/testing/landed-calls'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { saveBuckets } from '../../store/buckets.ts'
import type { Database } from '../../store/database.ts'
import { insertLaunches } from '../../store/launches.ts'
import { findTradeProgress, readTradesProgress, saveTradeReading } from '../../store/trade-progress.ts'
import { readStored } from '../../testing/landed-trades.ts'
import { addressOf, launchRows } from '../../testing/launch-rows.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { createFakeHistory, type FakeTransaction, unavailable } from '../testing/fake-history.ts'
import { followTrades } from './follow-trades.ts'
import { readLaunch } from './read-launch.ts'

const network: Network = 'chain-mainnet'
const PER_SECOND = 200
const BURST = PER_SECOND
const SPAM = 20_000
/** Of 25 transactions, with what it takes to list them and to look for forks. */
const TURN_REQUESTS = 25 + 3
const timeout = 60_000

const genesisOf = (name: string) => addressOf(`launch ${name}`)
const buyIn = (name: string, amounts: Parameters<typeof landedBuy>[1]) =>
  landedBuy(
    {
      genesis: genesisOf(name),
      curve: addressOf(`curve ${name}`),
      mint: addressOf(`mint ${name}`),
      trader: addressOf('trader'),
    },
    amounts,
  )
const boughtIn = (name: string, at: number): FakeTransaction => ({
  signature: `buy ${at}`,
  slot: 500 + at,
  calls: buyIn(name, { paid: 1_000n, fee: 20n, received: 5_000n }),
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

test('20,000 trades of dust in a launch stay within the budget and delay no trade of another by more than two turns', async () => {
  const names = ['spammed', 'honest']
  const database = await prepare(names)
  const dust = (at: number): FakeTransaction => ({
    signature: `dust ${at}`,
    slot: 10 + at,
    calls: buyIn('spammed', { paid: 2n, fee: 1n, received: 1n }),
  })
  const spammed: FakeTransaction[] = [
    { signature: 'start', slot: 1, creates: genesisOf('spammed') },
    ...Array.from({ length: SPAM }, (_, at) => dust(at)),
  ]
  const honest: FakeTransaction[] = [
    { signature: 'created', slot: 1, creates: genesisOf('honest') },
    boughtIn('honest', 0),
  ]
  const rpc = createFakeHistory(
    new Map([
      [genesisOf('spammed'), spammed],
      [genesisOf('honest'), honest],
    ]),
  )
  const readAt = new Map<string, number>()
  const stopped = new AbortController()
  let requests = 0
  const startMs = performance.now()
  const trades = followTrades({
    network,
    rpc: {
      ...rpc,
      fetchTransaction(signature) {
        readAt.set(signature, requests)
        return rpc.fetchTransaction(signature)
      },
    },
    database,
    launches: new Set(names.map(genesisOf)),
    limits: { tradesPerSecond: PER_SECOND, tradesMs: 10_000, tradesAliveMs: 1_000 },
    observer: {
      onRequest() {
        requests += 1
        expect(requests).toBeLessThanOrEqual(BURST + 1 + ((performance.now() - startMs) / 1_000) * PER_SECOND)
      },
      onStored() {},
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
  const isHonest = (line: string) => /^\d+ buy \d/.test(line)
  for (let at = 1; at <= 5; at++) {
    spammed.push(dust(SPAM + at))
    trades.report(genesisOf('spammed'))
    honest.push(boughtIn('honest', at))
    const reportedAt = requests
    trades.report(genesisOf('honest'))
    await expect
      .poll(async () => (await readStored(database)).filter(isHonest).length, { timeout })
      .toBe(at + 1)
    expect(readAt.get(`buy ${at}`)).toBeLessThanOrEqual(reportedAt + 2 * TURN_REQUESTS)
    expect(await progressOf('spammed')).toEqual({
      complete: false,
      reason: 'Some transactions of this launch have not been read yet.',
    })
  }
  expect(rpc.requests).toBeLessThanOrEqual(requests)
  expect(rpc.requests).toBeLessThan(SPAM)
})

const unlimited = () => ({
  budget: { take: async () => {} },
  landed: new Map(),
  lastRead: {},
  pools: { of: async () => [] },
  watched: new Map(),
})

test('a transaction that names 26 launches is read once, and moves only those that it trades in', async () => {
  const names = Array.from({ length: 26 }, (_, at) => `named ${at}`)
  const database = await prepare(names)
  const both: FakeTransaction = {
    signature: 'both',
    slot: 60,
    calls: ['named 3', 'named 20'].flatMap(name => buyIn(name, { paid: 1_000n, fee: 20n, received: 5_000n })),
  }
  const idle = Array.from({ length: 60 }, (_, at) => ({ signature: `idle ${at}`, slot: 100 + at }))
  const rpc = createFakeHistory(
    new Map(
      names.map(name => [
        genesisOf(name),
        [{ signature: name, slot: 1, creates: genesisOf(name) }, both, ...idle],
      ]),
    ),
  )
  rpc.tip = 165
  const reads = new Map<string, number>()
  const { fetchTransaction } = rpc
  rpc.fetchTransaction = signature => {
    reads.set(signature, (reads.get(signature) ?? 0) + 1)
    return fetchTransaction(signature)
  }
  const parts = { network, rpc, database, ...unlimited() }
  const turns = new Map<string, Awaited<ReturnType<typeof readLaunch>>[]>()
  for (let round = 0; round < 5; round++) {
    if (round === 3) rpc.tip = 400
    for (const name of names)
      turns.set(name, [...(turns.get(name) ?? []), await readLaunch(parts, genesisOf(name))])
  }
  expect(Math.max(...reads.values())).toBe(1)
  expect(reads.size).toBe(names.length + 1 + idle.length)
  for (const [name, list] of turns) {
    expect(list.some(turn => turn?.isNews)).toBe(name === 'named 3' || name === 'named 20')
    expect(list.at(-1)).toMatchObject({
      hasMore: false,
      isBehind: false,
      isUnsettled: false,
      fault: undefined,
    })
    // Those that were read for another launch don't count toward the 25 of a turn.
    if (name !== 'named 0' && name !== 'named 1' && name !== 'named 2') expect(list[0]?.hasMore).toBe(false)
  }
  expect(await readStored(database)).toHaveLength(2)
})

/** A call that a stranger makes, of which the data should not be read. */
const unreadable = (read: () => void, height: number): LandedCall => ({
  program: TOKEN_PROGRAM,
  accounts: [],
  get data(): Uint8Array {
    read()
    throw new UnreadableData()
  },
  height,
})

test('data that no trade needs is never decoded', async () => {
  const genesis = genesisOf('quiet')
  const database = await prepare(['quiet'])
  let reads = 0
  const long = Array.from({ length: 60 }, () => unreadable(() => reads++, 1))
  const trade = boughtIn('quiet', 1)
  const history: FakeTransaction[] = [
    { signature: 'created', slot: 1, creates: genesis },
    { signature: 'idle', slot: 20, calls: long },
    { ...trade, calls: [...long, ...(trade.calls ?? []), ...long] },
  ]
  start(database, createFakeHistory(new Map([[genesis, history]])), {
    launches: new Set([genesis]),
    onFault: () => expect.unreachable(),
  })
  await expect
    .poll(() => readTradesProgress(database, network, genesis), { timeout })
    .toEqual({ complete: true, reason: null })
  expect(await readStored(database)).toHaveLength(1)
  expect(reads).toBe(0)
})

test('a trade with data that is too long to be decoded is missing until it can be, or a fork drops it', async () => {
  const genesis = genesisOf('batched')
  const database = await prepare(['batched'])
  const calls = boughtIn('batched', 1).calls ?? []
  const trade = { ...boughtIn('batched', 1), calls: [...calls, unreadable(() => {}, 2)] }
  const history: FakeTransaction[] = [
    { signature: 'created', slot: 1, creates: genesis },
    trade,
    boughtIn('batched', 2),
  ]
  const rpc = createFakeHistory(new Map([[genesis, history]]))
  rpc.tip = 505
  const parts = { network, rpc, database, ...unlimited() }
  const state = () => readTradesProgress(database, network, genesis)
  await saveTradeReading(database, network)
  for (let turn = 0; turn < 2; turn++) {
    expect(await readLaunch(parts, genesis)).toMatchObject({ isBehind: true, fault: undefined })
    expect(await readStored(database)).toHaveLength(1)
    expect(await state()).toMatchObject({ complete: false, reason: expect.stringContaining('decode') })
  }
  history.splice(1, 1)
  rpc.tip = 1_000
  for (let turn = 0; turn < 3; turn++) await readLaunch(parts, genesis)
  expect(await state()).toEqual({ complete: true, reason: null })
  history.push({ ...trade, signature: 'again', slot: 700 })
  await readLaunch(parts, genesis)
  expect(await state()).toMatchObject({ complete: false })
  Object.assign(history.at(-1) as FakeTransaction, { calls })
  await readLaunch(parts, genesis)
  expect(await state()).toEqual({ complete: true, reason: null })
  expect(await readStored(database)).toHaveLength(2)
})

test('a fork is noticed even if the launch always has new transactions, and final transactions are forgotten', async () => {
  const genesis = genesisOf('busy')
  const database = await prepare(['busy'])
  const history: FakeTransaction[] = [{ signature: 'created', slot: 1, creates: genesis }]
  const rpc = createFakeHistory(new Map([[genesis, history]]))
  const parts = { network, rpc, database, ...unlimited() }
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

test('a graduated launch counts as having a pool even before the pool can be read', async () => {
  const genesis = genesisOf('graduated')
  const database = await prepare(['graduated'])
  const rpc = createFakeHistory(new Map([[genesis, [{ signature: 'created', slot: 1, creates: genesis }]]]))
  const parts = { network, rpc, database, ...unlimited() }
  const pool = {
    network,
    address: addressOf('pool'),
    genesisAddress: genesis,
    kind: 'raydiumCpmmV2' as const,
    slot: 1,
  }
  await database.run('test', db => saveBuckets(db, [pool]))
  expect(await readLaunch(parts, genesis)).toMatchObject({ hasPool: false })
  await database.run('test', db => db.execute(sql`UPDATE launches SET graduated_at = now()`))
  expect(await readLaunch(parts, genesis)).toMatchObject({ hasPool: true })
})

const NO_FEES = {
  tradeFeeRate: 0n,
  protocolFeeRate: 0n,
  fundFeeRate: 0n,
  creatorFeeRate: 0n,
  creatorFeeIn: 'input' as const,
}

test('the trades of a pool are read even if those of its curve cannot be', async () => {
  const genesis = genesisOf('faulty')
  const pool = { address: addressOf('pool'), program: addressOf('program'), rates: NO_FEES }
  const database = await prepare(['faulty'])
  const rpc = createFakeHistory(
    new Map([[pool.address, [{ signature: 'pool', slot: 1, creates: pool.address }]]]),
  )
  const { fetchSignatures } = rpc
  rpc.fetchSignatures = (address, ...more) =>
    address === genesis ? Promise.reject(new Error('busy')) : fetchSignatures(address, ...more)
  const parts = { network, rpc, database, ...unlimited(), pools: { of: async () => [pool] } }
  expect(await readLaunch(parts, genesis)).toMatchObject({ fault: new Error('busy') })
  const progress = await findTradeProgress(database, network, genesis)
  expect(progress.find(({ address }) => address === pool.address)).toMatchObject({ hasOrigin: true })
})

/** Looks often, so that tests need not wait. */
function start(
  database: Database,
  rpc: ReturnType<typeof createFakeHistory>,
  { launches, onFault }: { launches: ReadonlySet<Address>; onFault(): void },
) {
  const stopped = new AbortController()
  const trades = followTrades({
    network,
    rpc: { ...rpc, fetchSignatures: (...asked) => rpc.fetchSignatures(...asked) },
    database,
    launches,
    limits: { tradesPerSecond: PER_SECOND, tradesMs: 100, tradesAliveMs: 50 },
    observer: { onRequest() {}, onStored() {}, onFault },
    signal: stopped.signal,
  })
  const done = trades.run()
  onTestFinished(async () => {
    stopped.abort()
    await done
  })
}

test('trades are incomplete while no request succeeds, and complete again afterwards', async () => {
  const genesis = genesisOf('cut off')
  const database = await prepare(['cut off'])
  const history: FakeTransaction[] = [{ signature: 'created', slot: 1, creates: genesis }]
  const rpc = createFakeHistory(new Map([[genesis, history]]))
  const { fetchSignatures } = rpc
  let faults = 0
  start(database, rpc, { launches: new Set([genesis]), onFault: () => faults++ })
  const progress = () => readTradesProgress(database, network, genesis)
  const forget = () =>
    database.run('test', db => db.execute(sql`UPDATE trade_reading SET at = now() - interval '2 minutes'`))
  await expect.poll(progress, { timeout }).toEqual({ complete: true, reason: null })
  await forget()
  await expect.poll(progress, { timeout }).toEqual({ complete: true, reason: null })

  rpc.fetchSignatures = () => Promise.reject(new Error('down'))
  await expect.poll(() => faults, { timeout }).toBeGreaterThan(6)
  await forget()
  const before = faults
  await expect.poll(() => faults, { timeout }).toBeGreaterThan(before + 1)
  expect(await progress()).toEqual({ complete: false, reason: 'Trades are not being read at the moment.' })

  rpc.fetchSignatures = fetchSignatures
  await expect.poll(progress, { timeout }).toEqual({ complete: true, reason: null })
})

test('an endpoint that refuses the transactions of one launch is asked again, and other launches are not held up', async () => {
  const names = ['refused', 'served']
  const database = await prepare(names)
  const rpc = createFakeHistory(
    new Map(names.map(name => [genesisOf(name), [{ signature: name, slot: 1, creates: genesisOf(name) }]])),
  )
  let asked = 0
  rpc.refuse = signature => {
    if (signature === 'served') return undefined
    asked += 1
    return unavailable('refused')
  }
  start(database, rpc, { launches: new Set(names.map(genesisOf)), onFault: () => expect.unreachable() })
  const progressOf = (name: string) => readTradesProgress(database, network, genesisOf(name))
  await expect.poll(() => progressOf('served'), { timeout }).toEqual({ complete: true, reason: null })
  // A pause of ten seconds after each would take longer.
  await expect.poll(() => asked, { timeout: 40_000 }).toBeGreaterThan(5)
  expect(await progressOf('refused')).toMatchObject({
    reason: 'The RPC endpoints do not return all transactions of this launch.',
  })
})
