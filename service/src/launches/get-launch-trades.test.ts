import { LaunchCandles, LaunchTrades } from '@slipway/schema/market'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saveTrades } from '../store/trades.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { startTestService } from '../testing/test-service.ts'
import { signatureOf, tradeOf, U64_MAX } from '../testing/trades.ts'
import { toCsv } from './market/trades-csv.ts'

const NETWORK = 'chain-mainnet'
const launch = addressOf('launch one')
const wallet = addressOf('trader')
const agent = addressOf('agent')
const START = Date.parse('2026-01-01T00:00:00Z') / 1_000

async function prepare() {
  const rows = launchRows('one')
  const service = await startTestService({ launches: [rows, launchRows('other')] })
  await service.database.run('test', db =>
    db.execute(
      sql`INSERT INTO activity_sources (launch_id, quote_decimals, base_decimals) VALUES (${rows.launch.id}, 9, 6)`,
    ),
  )
  const get = (path: string, init?: RequestInit) => fetch(`${service.url}/v1/launches/${path}`, init)
  return {
    ...service,
    get,
    save: (trades: Parameters<typeof saveTrades>[3]) => saveTrades(service.database, NETWORK, launch, trades),
    trades: async (query = '') => {
      const { data } = (await (await get(`${launch}/trades${query}`)).json()) as { data: object }
      return LaunchTrades.strict().parse(data)
    },
    candles: async (query = '') => {
      const { data } = (await (await get(`${launch}/candles${query}`)).json()) as { data: object }
      return LaunchCandles.strict().parse(data)
    },
    refusal: async (path: string) => {
      const response = await get(path)
      const { error } = (await response.json()) as { error: { message: string } }
      return [response.status, error.message]
    },
  }
}

test('trades are served newest first, with the price before fees', async () => {
  const { save, trades, get } = await prepare()
  const fees = { protocolFee: 5_000_000n, creatorFee: 6_000_000n, poolFee: 1_000_000n }
  const amounts = { baseAmount: 4_000_000n, quoteAmount: 1_012_000_000n }
  await save([
    tradeOf('buy', { time: START, slot: 1, ...amounts, ...fees }),
    tradeOf('sell', { time: START + 1, slot: 2, kind: 'sell', agent, ...amounts, ...fees }),
    tradeOf('deposit', { time: START + 2, slot: 3, kind: 'deposit', quoteAmount: U64_MAX, baseAmount: 0n }),
  ])
  const data = await trades()
  expect(data).toMatchObject({ next: null, complete: false, quoteDecimals: 9, baseDecimals: 6 })
  expect(data.trades).toEqual([
    {
      signature: signatureOf('deposit'),
      index: 0,
      slot: 3,
      time: '2026-01-01T00:00:02.000Z',
      kind: 'deposit',
      wallet,
      agent: null,
      baseAmount: '0',
      quoteAmount: `${U64_MAX}`,
      protocolFee: '0',
      creatorFee: '0',
      price: null,
    },
    expect.objectContaining({ signature: signatureOf('sell'), kind: 'sell', agent, price: '0.256' }),
    expect.objectContaining({
      signature: signatureOf('buy'),
      kind: 'buy',
      quoteAmount: '1012000000',
      price: '0.25',
    }),
  ])
  const first = await get(`${launch}/trades`)
  expect(first.headers.get('vary')).toMatch(/^Accept\b/)
  const etag = first.headers.get('etag') ?? ''
  expect((await get(`${launch}/trades`, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('pages, in JSON and in CSV, have every trade once', async () => {
  const { save, trades, get, refusal, url } = await prepare()
  const kinds = ['buy', 'sell', 'claim'] as const
  const saved = Array.from({ length: 25 }, (_, at) =>
    tradeOf(`${at}`, {
      time: START + at,
      slot: at,
      kind: kinds[at % 3] as 'buy',
      wallet: addressOf(at % 2 ? 'odd' : 'even'),
    }),
  )
  await save(saved)
  const newestFirst = saved.map(({ signature }) => signature).reverse()
  const seen: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: LaunchTrades = await trades(`?limit=7${next && `&before=${next}`}`)
    seen.push(...page.trades.map(({ signature }) => signature))
    next = page.next
    await save([tradeOf(`late ${seen.length}`, { time: START + 1_000, slot: 1_000 })])
  }
  expect(seen).toEqual(newestFirst)

  const headers = { accept: 'text/csv, application/json;q=0.5' }
  const lines: string[] = []
  let link: string | undefined = `${url}/v1/launches/${launch}/trades?kind=claim&limit=5`
  while (link) {
    const response: Response = await fetch(link, { headers })
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    lines.push(...(await response.text()).trimEnd().split('\r\n').slice(1))
    const path = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    link = path && url + path
  }
  const claims = (await trades('?kind=claim')).trades
  expect(lines).toEqual(toCsv(claims).trimEnd().split('\r\n').slice(1))
  expect(lines).toHaveLength(8)

  const { next: cursor } = await trades(`?limit=2&kind=buy&wallet=${addressOf('odd')}`)
  const ofOther = `${addressOf('launch other')}/trades?before=${cursor}&kind=buy&wallet=${addressOf('odd')}`
  for (const foreign of [`${launch}/trades?before=${cursor}`, `${launch}/trades?before=x`, ofOther])
    expect(await refusal(foreign)).toEqual([400, '✖ Invalid cursor'])
  expect((await get(`${launch}/trades?before=${cursor}&kind=buy&wallet=${addressOf('odd')}`)).status).toBe(
    200,
  )
})

test('a trade has a price exactly if its candle has one, and it is the same', async () => {
  const { save, trades, candles } = await prepare()
  const amount = fc.oneof(fc.bigInt({ min: 0n, max: 2_000_000n }), fc.bigInt({ min: 0n, max: 5_000n }))
  const made = fc.record({
    kind: fc.constantFrom('buy' as const, 'sell' as const),
    baseAmount: amount,
    quoteAmount: amount,
    protocolFee: fc.bigInt({ min: 0n, max: 3_000n }),
  })
  const given = [
    ...fc.sample(made, 199),
    { kind: 'sell' as const, baseAmount: 30_000n, quoteAmount: 2n, protocolFee: 0n },
  ]
  await save(given.map((fields, at) => tradeOf(`${at}`, { ...fields, time: START + 60 * at, slot: at })))
  const listed = (await trades('?limit=200')).trades.toReversed()
  const to = new Date((START + 300 * 60) * 1_000).toISOString()
  const shown = (await candles(`?interval=1m&from=2026-01-01&to=${to}`)).candles.slice(-200)
  expect(listed.map(({ price }) => price)).toEqual(shown.map(({ close }) => close))
  expect(listed.at(-1)).toMatchObject({ price: null, quoteAmount: '2' })
  expect(new Set(listed.map(({ price }) => price === null))).toEqual(new Set([true, false]))
})

test('candles have the last 500 intervals by default and at most 1,000, without empty ones', async () => {
  const { save, candles } = await prepare()
  const now = Math.floor(Date.now() / 1_000)
  const minute = Math.floor(now / 60) * 60
  const at = (ago: number) =>
    tradeOf(`${ago}`, { time: minute - ago * 60, slot: 10_000 - ago, baseAmount: 2_000_000n })
  await save([
    at(2_000),
    at(995),
    at(600),
    at(490),
    at(3),
    tradeOf('same', { ...at(3), kind: 'sell', signature: signatureOf('same') }),
  ])
  const agesOf = ({ candles: shown }: LaunchCandles) =>
    shown.map(({ time }) => (minute - Date.parse(time) / 1_000) / 60)
  const shown = await candles('?interval=1m')
  expect(agesOf(shown)).toEqual([490, 3])
  expect(shown).toMatchObject({ interval: '1m', complete: false, quoteDecimals: 9, baseDecimals: 6 })
  expect(shown.candles.at(-1)).toMatchObject({
    open: '1',
    close: '1',
    volumeBase: '4000000',
    volumeQuote: '4000000000',
    trades: 2,
  })
  expect(agesOf(await candles('?interval=1m&from=1970-01-01')).length).toBe(4)
  const to = new Date((minute - 490 * 60) * 1_000).toISOString()
  expect(agesOf(await candles(`?interval=1m&to=${to}`))).toEqual([600])
  const days = await candles('?interval=1d&from=1970-01-01')
  const sum = days.candles.reduce((total, { volumeQuote }) => total + BigInt(volumeQuote), 0n)
  expect(sum).toBe(12_000_000_000n)
})

test('a refused request says why', async () => {
  const { refusal } = await prepare()
  for (const [path, message] of [
    ['trades?limit=0', '✖ Invalid limit'],
    ['trades?limit=201', '✖ Invalid limit'],
    ['trades?kind=swap', '✖ Invalid kind'],
    ['trades?wallet=me', '✖ Invalid wallet address'],
    ['trades?network=other', '✖ Invalid network'],
    ['candles?interval=1w', '✖ Invalid interval'],
    ['candles?from=yesterday', '✖ Invalid time'],
    ['candles?from=2026-01-02&to=2026-01-01', '✖ Invalid time'],
  ])
    expect(await refusal(`${launch}/${path}`)).toEqual([400, message])
  for (const path of ['trades', 'candles']) {
    expect(await refusal(`${addressOf('unknown')}/${path}`)).toEqual([404, 'Launch not found'])
    expect(await refusal(`no-address/${path}`)).toEqual([404, 'Launch not found'])
  }
})

test('CSV fields are quoted where necessary', () => {
  const trade = { ...tradeOf('one'), signature: 'a,"b"\r\nc', time: '2026', price: null }
  const csv = toCsv([trade as never])
  expect(csv).toMatch(/^signature,index,.*,price\r\n"a,""b""\r\nc",0,/)
  expect(csv).toMatch(/,\r\n$/)
})
