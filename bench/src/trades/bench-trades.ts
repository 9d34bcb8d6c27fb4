import { addressAt } from '@slipway/launch-model/bytes/base58'
import type { Address } from '@slipway/schema/address'
import { CANDLE_MINUTES } from '@slipway/schema/market'
import { readCandles } from '@slipway/service/store/candles'
import type { Database } from '@slipway/service/store/database'
import { findTradeSource, listTrades, type TradeQuery } from '@slipway/service/store/list-trades'
import { type PlacedTrade, saveTrades } from '@slipway/service/store/trades'
import { sql } from 'drizzle-orm'
import { insertSampleLaunches, withStore } from '../lib/bench-store.ts'
import { median, printTable } from '../lib/report.ts'
import { sampleLaunch } from '../lib/sample-launches.ts'

/** Trades of one launch. Another hundredth of this number is inserted as the indexer does it. */
const TRADES = Number(process.env.BENCH_TRADES ?? 1_000_000)
const DAYS = 700
const WALLETS = 1_000
const RUNS = 20
const NETWORK = 'chain-mainnet'

/** How fast trades are stored, and how long pages and candles of a launch with very many take. */
export async function benchTrades(): Promise<void> {
  await withStore(
    async database => {
      await insertSampleLaunches(database, 2)
      const { genesisAddress } = sampleLaunch(0)
      const { launchId } = (await findTradeSource(database, NETWORK, genesisAddress)) as { launchId: string }
      await fill(database, launchId)
      const inserts = [
        await measureInserts(database, genesisAddress, 'into the large launch', 3_600),
        await measureInserts(database, sampleLaunch(1).genesisAddress, 'into another one', 3_600),
        await measureInserts(database, sampleLaunch(1).genesisAddress, 'all within a minute', 60),
      ]
      printTable('Storing trades, 500 at a time', ['', 'trades', 'trades per second'], inserts)
      printTable(
        `Reading ${TRADES.toLocaleString('en')} trades of one launch in ${DAYS} days`,
        ['', 'rows', 'ms (median)', 'ms (longest)'],
        [...(await measurePages(database, launchId)), ...(await measureCandles(database, launchId))],
      )
    },
    { statementMs: 3_600_000 },
  )
}

/** Written by the database itself, which is faster. The candles are computed as `saveTrades` would. */
async function fill(database: Database, launchId: string): Promise<void> {
  const step = `${(DAYS * 86_400) / TRADES} seconds`
  await database.run('bench.fill', async db => {
    await db.execute(sql`SELECT ensure_trade_partitions(array_agg(at)) FROM generate_series(
      now() - make_interval(days => ${DAYS + 1}), now() + interval '1 month', interval '10 days') AS at`)
    await db.execute(sql`
      INSERT INTO trades (launch_id, time, slot, signature, index, kind, wallet, base_amount, quote_amount, protocol_fee,
        creator_fee, pool_fee)
      SELECT ${launchId}, date_trunc('second', now() - make_interval(days => ${DAYS}) + n * ${step}::interval), n,
        md5(n::text) || md5((n + 1)::text) || left(md5((n + 2)::text), 24), 0,
        CASE WHEN n % 1000 = 0 THEN 'claim' WHEN n % 3 = 0 THEN 'sell' ELSE 'buy' END,
        rpad('W' || n % ${WALLETS}, 44, 'x'), 1000000 + n % 977, 2000000000 + n % 9973, 1000, 1000, 0
      FROM generate_series(1, ${TRADES}) AS n`)
    for (const minutes of [1, 15, 240])
      await db.execute(sql`
        INSERT INTO candles SELECT launch_id, ${minutes}, date_bin(make_interval(mins => ${minutes}), time, 'epoch'::timestamptz),
          1e43, 2e43, 1e42, 1e43, sum(base_amount), sum(quote_amount), count(*)
        FROM trades WHERE kind <> 'claim' GROUP BY 1, 3`)
    await db.execute(sql`VACUUM ANALYZE trades`)
    await db.execute(sql`VACUUM ANALYZE candles`)
  })
}

async function measureInserts(
  database: Database,
  genesisAddress: Address,
  title: string,
  seconds: number,
): Promise<string[]> {
  const count = 20_000
  const time = Math.floor(Date.now() / 60_000) * 60 - 7_200
  const trades = Array.from({ length: count }, (_, at): PlacedTrade => {
    const bytes = Buffer.alloc(32)
    bytes.writeUInt32BE(at + 1)
    bytes.write(title, 8)
    const address = addressAt(bytes)
    return {
      signature: `${address}${address}`,
      index: 0,
      slot: TRADES + at,
      orderInSlot: 0,
      time: time + Math.floor((at * seconds) / count),
      kind: at % 3 === 0 ? 'sell' : 'buy',
      wallet: addressAt(Buffer.alloc(32, at % 251)),
      agent: null,
      baseAmount: BigInt(1_000_000 + at),
      quoteAmount: 2_000_000_000n,
      protocolFee: 1_000n,
      creatorFee: 1_000n,
      poolFee: 0n,
    }
  })
  const startMs = performance.now()
  for (let at = 0; at < count; at += 500)
    await saveTrades(database, NETWORK, genesisAddress, trades.slice(at, at + 500))
  const rate = count / ((performance.now() - startMs) / 1_000)
  return [title, count.toLocaleString('en'), rate.toFixed(0)]
}

async function measurePages(database: Database, launchId: string): Promise<string[][]> {
  const wallet = 'W7'.padEnd(44, 'x') as Address
  const [middle] = await listTrades(database, launchId, { limit: 1, before: placeAt(DAYS / 2) })
  const pages: [string, Partial<TradeQuery>][] = [
    ['newest trades', {}],
    ['from the middle', { before: middle }],
    ['the oldest', { before: placeAt(DAYS - 1) }],
    ['of a wallet', { wallet }],
    ['of a wallet, from the middle', { wallet, before: middle }],
    ['of a rare kind', { kind: 'claim' }],
    ['of a kind that never occurs', { kind: 'refund' }],
    ['of a wallet and a kind', { wallet, kind: 'sell' }],
    ['of an unknown wallet', { wallet: 'nobody' as Address }],
  ]
  const rows: string[][] = []
  for (const [title, query] of pages)
    rows.push(
      await measure(`trades: ${title}`, () => listTrades(database, launchId, { limit: 201, ...query })),
    )
  return rows
}

async function measureCandles(database: Database, launchId: string): Promise<string[][]> {
  const rows: string[][] = []
  const toMs = Date.now()
  for (const [interval, minutes] of Object.entries(CANDLE_MINUTES)) {
    const range = { minutes, fromMs: toMs - 1_000 * minutes * 60_000, toMs }
    rows.push(await measure(`candles: ${interval}`, () => readCandles(database, launchId, range)))
  }
  return rows
}

const placeAt = (daysAgo: number) => ({
  time: Math.floor(Date.now() / 1_000 - daysAgo * 86_400),
  slot: 0,
  orderInSlot: 0,
  signature: '',
  index: 0,
})

async function measure(title: string, read: () => Promise<unknown[]>): Promise<string[]> {
  const times: number[] = []
  let rows = 0
  for (let run = 0; run < RUNS; run += 1) {
    const startMs = performance.now()
    rows = (await read()).length
    times.push(performance.now() - startMs)
  }
  return [title, `${rows}`, median(times).toFixed(1), Math.max(...times).toFixed(1)]
}
