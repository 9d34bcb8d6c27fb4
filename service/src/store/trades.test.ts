import type { Trade } from '@slipway/launch-model/history/trade'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { ALL_READ, insertTradedLaunch, tradeOf, U64_MAX } from '../testing/trades.ts'
import { PRICE_SCALE, readCandles } from './candles.ts'
import { type Database, withinTransaction } from './database.ts'
import { dropOldTrades } from './drop-old-trades.ts'
import { readNewestEvents } from './events.ts'
import { findTradeSource, listTrades, type TradeQuery } from './list-trades.ts'
import { saveTradeProgress } from './trade-progress.ts'
import { type PlacedTrade, removeTrades, saveTrades, sumTrades } from './trades.ts'

const NETWORK = 'chain-mainnet'
const MINUTE = 1_767_225_600
const DAY = 86_400

/** A database with another clock, which decides. */
const databaseAt = (database: Database, nowMs: number): Database => ({ ...database, nowMs: () => nowMs })

async function createLaunch() {
  const { database, connection } = await createTestDatabase()
  const genesisAddress = await insertTradedLaunch(database, 'traded')
  const { launchId = '' } = (await findTradeSource(database, NETWORK, genesisAddress)) ?? {}
  const sum = (wallet = addressOf('trader')) => sumTrades(database, NETWORK, genesisAddress, wallet)
  expect(await sum()).toBeUndefined()
  await database.run('test', db =>
    saveTradeProgress(db, NETWORK, genesisAddress, { address: genesisAddress, ...ALL_READ }),
  )
  return {
    database,
    connection,
    genesisAddress,
    save: (...trades: PlacedTrade[]) => saveTrades(database, NETWORK, genesisAddress, trades),
    place: (trades: PlacedTrade[], places: ReadonlyMap<string, number>) =>
      saveTrades(database, NETWORK, genesisAddress, trades, places),
    remove: (...trades: Trade[]) =>
      removeTrades(
        database,
        NETWORK,
        genesisAddress,
        trades.map(({ signature }) => signature),
      ),
    list: (query: Partial<TradeQuery> = {}) => listTrades(database, launchId, { limit: 1_000, ...query }),
    candles: (minutes = 1) => readCandles(database, launchId, { minutes, fromMs: 0, toMs: 4e12 }),
    sum,
  }
}

const signaturesOf = (rows: readonly { signature: string }[]) => rows.map(({ signature }) => signature)
/** Enough for a price. */
const UNITS = 10_000n
const scaled = (quote: bigint, base: bigint) => `${(quote * PRICE_SCALE) / base}`

test('a trade is stored once, with amounts up to 2^64 - 1', async () => {
  const { save, list, sum, candles } = await createLaunch()
  const fields = { baseAmount: U64_MAX, quoteAmount: U64_MAX, agent: addressOf('agent') }
  const trade = tradeOf('large', fields)
  const second = tradeOf('large', {
    ...fields,
    index: 1,
    kind: 'sell',
    protocolFee: U64_MAX,
    poolFee: U64_MAX,
  })
  expect(await save(trade, second, trade)).toBe(2)
  expect(await save(trade, second)).toBe(0)
  const max = `${U64_MAX}`
  expect(await list()).toEqual([
    { ...second, baseAmount: max, quoteAmount: max, protocolFee: max, creatorFee: '0', poolFee: max },
    { ...trade, baseAmount: max, quoteAmount: max, protocolFee: '0', creatorFee: '0', poolFee: '0' },
  ])
  expect(await sum()).toEqual({ paid: U64_MAX, received: U64_MAX })
  const [candle] = await candles()
  expect(candle).toMatchObject({
    volumeBase: `${2n * U64_MAX}`,
    open: scaled(1n, 1n),
    close: scaled(3n, 1n),
    trades: 2,
  })
})

test('trades of a launch that is not registered are not stored', async () => {
  const { database } = await createLaunch()
  expect(await saveTrades(database, NETWORK, addressOf('unknown'), [tradeOf('one')])).toBe(0)
})

test('a trade belongs to the minute of its time, and a trade without a price counts only toward the volume', async () => {
  const { save, candles } = await createLaunch()
  const at = (name: string, time: number, quoteAmount: bigint, fields: Partial<Trade> = {}) =>
    tradeOf(name, { time, slot: time, quoteAmount: quoteAmount * UNITS, baseAmount: UNITS, ...fields })
  await save(
    at('before', MINUTE - 1, 9n),
    at('first', MINUTE, 5n, { creatorFee: UNITS, poolFee: UNITS }),
    at('high', MINUTE + 1, 7n, { kind: 'sell', protocolFee: 3n * UNITS }),
    at('low', MINUTE + 2, 2n),
    at('last', MINUTE + 59, 4n),
    at('no price', MINUTE + 59, 1n, { baseAmount: 0n, slot: MINUTE + 60 }),
    at('deposit', MINUTE + 59, 100n, { kind: 'deposit' }),
    at('after', MINUTE + 60, 8n),
  )
  const minutes = await candles()
  expect(minutes.map(({ timeMs }) => timeMs / 1_000)).toEqual([MINUTE - 60, MINUTE, MINUTE + 60])
  expect(minutes[1]).toEqual({
    timeMs: MINUTE * 1_000,
    open: scaled(3n, 1n),
    high: scaled(10n, 1n),
    low: scaled(2n, 1n),
    close: scaled(4n, 1n),
    volumeBase: '40000',
    volumeQuote: '190000',
    trades: 5,
  })
})

test('a trade whose price rounding could move by more than 0.1 % leaves the prices of its candle alone', async () => {
  const { save, candles } = await createLaunch()
  const market = { baseAmount: 15_000_000_000n, quoteAmount: 1_200_000n }
  const trade = (name: string, slot: number, fields: Partial<Trade>) =>
    tradeOf(name, { ...market, slot, ...fields })
  const dust = (name: string, slot: number, baseAmount: bigint, quoteAmount: bigint) =>
    trade(name, slot, { kind: 'sell', baseAmount, quoteAmount })
  await save(
    dust('before', 1, 30_000n, 2n),
    trade('first', 2, {}),
    dust('nothing', 3, 1n, 0n),
    dust('low', 4, 30_000n, 2n),
    trade('high', 5, { baseAmount: 1n, quoteAmount: 20_000_000n }),
    // The fees are most of it.
    trade('fees', 6, { quoteAmount: 2_001n, protocolFee: 1_000n, creatorFee: 1_000n }),
    trade('last', 7, { quoteAmount: 1_300_000n }),
    dust('after', 8, 30_000n, 2n),
    { ...dust('alone', 9, 30_000n, 2n), time: MINUTE + 60 },
  )
  const [minute, alone] = await candles()
  const [first, last] = [scaled(1_200_000n, 15_000_000_000n), scaled(1_300_000n, 15_000_000_000n)]
  expect(minute).toMatchObject({ open: first, low: first, high: last, close: last, trades: 8 })
  expect(minute?.volumeBase).toBe(`${3n * market.baseAmount + 90_002n}`)
  expect(minute?.volumeQuote).toBe(`${1_200_000n + 20_000_000n + 2_001n + 1_300_000n + 6n}`)
  expect(alone).toMatchObject({
    open: null,
    high: null,
    low: null,
    close: null,
    volumeBase: '30000',
    trades: 1,
  })
  expect(await candles(15)).toMatchObject([{ open: first, low: first, high: last, close: last, trades: 9 }])
})

test('candles of every length add up to the buys and sells, whatever is saved and removed', async () => {
  const { save, remove, list, candles } = await createLaunch()
  const kinds = ['buy', 'sell', 'deposit', 'claim'] as const
  const made = fc.record({
    time: fc.integer({ min: MINUTE - 2 * DAY, max: MINUTE + 40 * DAY }),
    kind: fc.constantFrom(...kinds),
    baseAmount: fc.oneof(fc.bigInt({ min: 0n, max: U64_MAX }), fc.constant(1n)),
    quoteAmount: fc.oneof(fc.bigInt({ min: 0n, max: U64_MAX }), fc.constant(1n)),
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 40 }), async given => {
      run += 1
      const trades = given.map((fields, at) => tradeOf(`${run} ${at}`, { ...fields, slot: fields.time }))
      await save(...trades)
      await remove(...trades.filter((_, at) => at % 3 === 0))
      const traded = (await list()).filter(({ kind }) => kind === 'buy' || kind === 'sell')
      const total = (values: readonly string[]) => values.reduce((sum, value) => sum + BigInt(value), 0n)
      for (const minutes of [1, 5, 15, 60, 240, 1_440]) {
        const folded = await candles(minutes)
        expect(folded.every(({ timeMs }) => timeMs % (minutes * 60_000) === 0)).toBe(true)
        expect(total(folded.map(({ volumeBase }) => volumeBase))).toBe(
          total(traded.map(({ baseAmount }) => baseAmount)),
        )
        expect(total(folded.map(({ volumeQuote }) => volumeQuote))).toBe(
          total(traded.map(({ quoteAmount }) => quoteAmount)),
        )
        expect(folded.reduce((sum, { trades: count }) => sum + count, 0)).toBe(traded.length)
      }
      await remove(...trades)
      expect(await candles()).toEqual([])
    }),
    { numRuns: 5 },
  )
})

test('trades of one slot are listed, reported and made into candles in the order of their transactions', async () => {
  const { database, save, list, candles } = await createLaunch()
  const time = Math.floor(Date.now() / 60_000) * 60
  const names = ['c', 'a', 'd', 'b']
  const trades = names.map((name, at) =>
    tradeOf(name, { time, orderInSlot: at, quoteAmount: BigInt(at + 1) * UNITS, baseAmount: UNITS }),
  )
  // As they are read: the newest first, in two turns.
  await save(...trades.slice(2).reverse())
  await save(...trades.slice(0, 2).reverse())
  expect(signaturesOf((await list()).toReversed())).toEqual(signaturesOf(trades))
  expect(await candles()).toMatchObject([{ open: scaled(1n, 1n), close: scaled(4n, 1n) }])
  const events = await readNewestEvents(database, 4)
  expect(events.map(({ data }) => (data as Trade).signature)).toEqual(
    signaturesOf([...trades.slice(2), ...trades.slice(0, 2)]),
  )
})

test('a trade that is stored late moves those after it in its slot, and the candle changes with them', async () => {
  const { save, place, list, candles } = await createLaunch()
  const [first, late, last] = ['c', 'b', 'a'].map((name, at) =>
    tradeOf(name, { quoteAmount: BigInt(at + 1) * 1_000_000n, orderInSlot: at }),
  ) as [PlacedTrade, PlacedTrade, PlacedTrade]
  await save(first, { ...last, orderInSlot: 1 })
  expect(
    await place(
      [late],
      new Map([
        [first.signature, 0],
        [last.signature, 2],
      ]),
    ),
  ).toBe(1)
  expect(signaturesOf((await list()).toReversed())).toEqual(signaturesOf([first, late, last]))
  expect(await candles()).toMatchObject([{ open: scaled(1n, 1n), close: scaled(3n, 1n), trades: 3 }])
})

test('a removed trade leaves its candles and totals as if it had never been', async () => {
  const { save, remove, candles, list, sum } = await createLaunch()
  const kept = tradeOf('kept', { quoteAmount: 5n })
  await save(kept)
  const before = await candles(1_440)
  const dropped = tradeOf('dropped', { quoteAmount: 900n, slot: 1_001 })
  await save(dropped, tradeOf('dropped', { ...dropped, index: 1, kind: 'sell' }))
  expect(await sum()).toEqual({ paid: 905n, received: 900n })
  await remove(dropped)
  expect(await candles(1_440)).toEqual(before)
  expect(signaturesOf(await list())).toEqual([kept.signature])
  expect(await sum()).toEqual({ paid: 5n, received: 0n })
})

test('a transaction that lands in another slot replaces its trades', async () => {
  const { save, candles, list, sum } = await createLaunch()
  const trade = tradeOf('moved')
  await save(trade)
  expect(await save({ ...trade, slot: 1_050, time: trade.time + 61 })).toBe(1)
  expect((await list()).map(({ slot, time }) => [slot, time])).toEqual([[1_050, trade.time + 61]])
  expect((await candles()).map(({ timeMs }) => timeMs / 1_000)).toEqual([MINUTE + 60])
  expect((await sum())?.paid).toBe(trade.quoteAmount)
})

test('pages neither skip nor repeat trades while others arrive, across months and within a slot', async () => {
  const { save, list } = await createLaunch()
  const trades = Array.from({ length: 120 }, (_, at) => {
    const time = MINUTE - Math.floor(at / 7) * 3 * DAY
    return tradeOf(`${at}`, {
      time,
      slot: time,
      orderInSlot: at % 3,
      kind: at % 5 === 0 ? 'sell' : 'buy',
      wallet: addressOf(at % 2 === 0 ? 'even' : 'odd'),
    })
  })
  await save(...trades)
  for (const query of [{}, { kind: 'sell' as const }, { wallet: addressOf('odd') }]) {
    const all = await list(query)
    const seen = await list({ ...query, limit: 20 })
    for (let page = seen; page.length > 0; ) {
      await save(
        tradeOf(`new ${seen.length} ${JSON.stringify(query)}`, { time: MINUTE + 5, slot: MINUTE + 5 }),
      )
      page = await list({ ...query, limit: 20, before: page.at(-1) })
      seen.push(...page)
    }
    expect(seen).toEqual(all)
  }
  const sold = await list({ kind: 'sell', wallet: addressOf('even') })
  expect(sold).toHaveLength(12)
})

test("a wallet's totals are unknown while a part of the history has not been read", async () => {
  const { database, genesisAddress, save, sum } = await createLaunch()
  await save(tradeOf('one'))
  expect(await sum()).toEqual({ paid: 2_000_000_000n, received: 0n })
  const progress = (change: Partial<typeof ALL_READ>, address = genesisAddress) =>
    database.run('test', db =>
      saveTradeProgress(db, NETWORK, genesisAddress, { address, ...ALL_READ, ...change }),
    )
  const gaps = [{ before: tradeOf('one').signature, until: null }]
  for (const change of [{ hasOrigin: false }, { gaps: gaps as never }]) {
    await progress(change)
    expect(await sum()).toBeUndefined()
  }
  await progress({})
  expect(await sum()).toEqual({ paid: 2_000_000_000n, received: 0n })
  await progress({ hasOrigin: false }, addressOf('pool'))
  expect(await sum()).toBeUndefined()
})

test("a wallet's totals cost one row, however many trades it has", async () => {
  const { database, save, sum } = await createLaunch()
  const kinds = ['buy', 'deposit', 'sell', 'withdraw', 'refund', 'claim'] as const
  await save(
    ...Array.from({ length: 3_000 }, (_, at) =>
      tradeOf(`${at}`, { slot: at, quoteAmount: 1n, kind: kinds[at % 6] as Trade['kind'] }),
    ),
  )
  expect(await sum()).toEqual({ paid: 1_000n, received: 1_500n })
  expect(await sum(addressOf('nobody'))).toEqual({ paid: 0n, received: 0n })
  const { rows } = await database.run('test', db => db.execute(sql`SELECT FROM trade_totals`))
  expect(rows).toHaveLength(1)
})

test('several nodes can store trades of new months at once', async () => {
  const { database } = await createTestDatabase()
  const launches = await Promise.all(['a', 'b', 'c', 'd'].map(name => insertTradedLaunch(database, name)))
  const trades = Array.from({ length: 12 }, (_, at) =>
    tradeOf(`${at}`, { time: MINUTE + at * 31 * DAY, slot: at }),
  )
  const saved = launches.flatMap(genesisAddress =>
    [trades, trades.toReversed()].map(given => saveTrades(database, NETWORK, genesisAddress, given)),
  )
  const counts = await Promise.all(saved)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4 * 12)
})

test('trades are part of the transaction of their caller', async () => {
  const { database, genesisAddress, list } = await createLaunch()
  const failed = database.transact('test', async db => {
    await saveTrades(withinTransaction(db), NETWORK, genesisAddress, [tradeOf('undone')])
    throw new Error('undone')
  })
  await expect(failed).rejects.toThrow('undone')
  expect(await list()).toEqual([])
})

test('recent trades are reported as events, and historical ones are not', async () => {
  const { database, connection, save } = await createLaunch()
  await runSql(connection, 'DELETE FROM events')
  const now = Math.floor(Date.now() / 1_000)
  const trade = tradeOf('new', { time: now, quoteAmount: U64_MAX })
  await save(trade, tradeOf('newer', { time: now, slot: 1_001 }), tradeOf('old', { time: now - 3_600 }))
  await save(trade)
  const events = await readNewestEvents(database, 10)
  expect(events.map(({ type, data }) => [type, (data as Trade).signature])).toEqual([
    ['launch.trade', trade.signature],
    ['launch.trade', tradeOf('newer').signature],
  ])
  expect(events[0]?.data).toMatchObject({ quoteAmount: `${U64_MAX}`, slot: 1_000 })
})

test('whole months of trades are dropped, and neither come back nor change candles and totals', async () => {
  const { database, save, list, candles, sum } = await createLaunch()
  const old = tradeOf('old')
  const recent = tradeOf('recent', { time: MINUTE + 31 * DAY, slot: 2_000 })
  await save(old, recent)
  const before = { candles: await candles(), sum: await sum() }
  const at = (seconds: number) => new Date(seconds * 1_000).getTime()
  expect(await dropOldTrades(databaseAt(database, at(MINUTE + 60 * DAY)), { days: 30 })).toEqual([])
  expect(await dropOldTrades(databaseAt(database, at(MINUTE + 61 * DAY)), { days: 30 })).toEqual([
    'trades_2026_01',
  ])
  expect(await save(old, recent)).toBe(0)
  expect(signaturesOf(await list())).toEqual([recent.signature])
  expect({ candles: await candles(), sum: await sum() }).toEqual(before)
})

test('a history that is read for the first time counts toward candles and totals, however old its trades are', async () => {
  const { database, save, sum } = await createLaunch()
  await save(tradeOf('old'))
  const nowMs = (MINUTE + 100 * DAY) * 1_000
  expect(await dropOldTrades(databaseAt(database, nowMs), { days: 30 })).toEqual(['trades_2026_01'])

  const late = await insertTradedLaunch(database, 'registered later')
  const { launchId = '' } = (await findTradeSource(database, NETWORK, late)) ?? {}
  const candles = () => readCandles(database, launchId, { minutes: 1, fromMs: 0, toMs: 4e12 })
  const [older, recent] = [tradeOf('older'), tradeOf('recent', { time: MINUTE + 90 * DAY, slot: 2_000 })]
  expect(await saveTrades(database, NETWORK, late, [older, recent])).toBe(2)
  await database.run('test', db => saveTradeProgress(db, NETWORK, late, { address: late, ...ALL_READ }))
  expect(await dropOldTrades(databaseAt(database, nowMs), { days: 30 })).toEqual(['trades_2026_01'])
  expect(await saveTrades(database, NETWORK, late, [older, recent])).toBe(0)
  expect(await candles()).toHaveLength(2)
  const totals = await sumTrades(database, NETWORK, late, addressOf('trader'))
  expect(totals).toEqual({ paid: 4_000_000_000n, received: 0n })
  expect(signaturesOf(await listTrades(database, launchId, { limit: 10 }))).toEqual([recent.signature])
  expect(await sum()).toEqual({ paid: 2_000_000_000n, received: 0n })
})

test('the trades of a launch are deleted with it', async () => {
  const { database, connection, save } = await createLaunch()
  await save(tradeOf('one'))
  await runSql(connection, 'DELETE FROM launches')
  const counted = (database: Database) =>
    database.run('test', db =>
      db.execute(
        sql`SELECT (SELECT count(*) FROM trades) + (SELECT count(*) FROM candles) + (SELECT count(*) FROM trade_totals) AS n`,
      ),
    )
  expect((await counted(database)).rows).toEqual([{ n: '0' }])
})
