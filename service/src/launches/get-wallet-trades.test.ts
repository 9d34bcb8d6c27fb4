import { type LaunchTrade, WalletTrades } from '@slipway/schema/market'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveTradeReading } from '../store/trade-progress.ts'
import { type PlacedTrade, saveTrades } from '../store/trades.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { startTestService } from '../testing/test-service.ts'
import { signatureOf, tradeOf } from '../testing/trades.ts'
import { readNetworkCompleteness } from './market/read-completeness.ts'

const NETWORK = 'chain-mainnet'
const wallet = addressOf('trader')
const START = Date.parse('2026-01-30T00:00:00Z') / 1_000
const DAY = 86_400

async function prepare() {
  const names = ['one', 'two', 'secret']
  const rows = names.map(name => launchRows(name))
  const service = await startTestService({ launches: rows })
  const execute = (statement: ReturnType<typeof sql>) =>
    service.database.run('test', db => db.execute(statement))
  for (const { launch } of rows)
    await execute(
      sql`INSERT INTO activity_sources (launch_id, quote_decimals, base_decimals) VALUES (${launch.id}, 9, 6)`,
    )
  const get = (query = '', of: string = wallet) => fetch(`${service.url}/v1/wallets/${of}/trades${query}`)
  return {
    ...service,
    execute,
    get,
    save: (name: string, ...trades: PlacedTrade[]) =>
      saveTrades(service.database, NETWORK, addressOf(`launch ${name}`), trades),
    list: async (query = '', of?: string) => {
      const { data } = (await (await get(query, of)).json()) as { data: object }
      return WalletTrades.strict().parse(data)
    },
  }
}

test('a wallet has its trades in all launches, newest first, each with its launch', async () => {
  const { url, save, list, execute } = await prepare()
  await save('one', tradeOf('first', { time: START, slot: 1 }))
  // In the next month, which is stored elsewhere.
  await save(
    'two',
    tradeOf('second', { time: START + 3 * DAY, slot: 2, kind: 'sell' }),
    tradeOf('of another', { time: START + 3 * DAY, slot: 2, wallet: addressOf('another') }),
  )
  await save('secret', tradeOf('third', { time: START + 4 * DAY, slot: 3 }))
  await execute(sql`UPDATE launches SET hidden = true WHERE genesis_address = ${addressOf('launch secret')}`)
  const { trades, next } = await list('?limit=3')
  expect(next).toBeNull()
  expect(trades).toMatchObject([
    { signature: signatureOf('second'), kind: 'sell', genesisAddress: addressOf('launch two') },
    { signature: signatureOf('first'), kind: 'buy', genesisAddress: addressOf('launch one') },
  ])
  const response = await fetch(`${url}/v1/launches/${addressOf('launch one')}/trades`)
  const { data } = (await response.json()) as { data: { trades: LaunchTrade[] } }
  const launch = await fetch(`${url}/v1/launches/${addressOf('launch one')}`)
  const { baseToken } = ((await launch.json()) as { data: { baseToken: Record<string, string> } }).data
  const { description: _, ...token } = baseToken
  expect(trades[1]).toEqual({
    ...data.trades[0],
    genesisAddress: addressOf('launch one'),
    baseToken: token,
    quoteMint: null,
    quoteDecimals: 9,
    baseDecimals: 6,
  })
  expect((await list('?network=chain-devnet')).trades).toEqual([])
  expect((await list('', addressOf('nobody'))).trades).toEqual([])
})

test('pages have every trade once, while others arrive', async () => {
  const { save, list, get } = await prepare()
  const saved = Array.from({ length: 12 }, (_, at) =>
    // Three in each slot, and of each transaction two.
    tradeOf(`${at >> 1}`, { time: START + Math.floor(at / 3), slot: Math.floor(at / 3), index: at % 2 }),
  )
  await save('one', ...saved.filter((_, at) => at % 4 < 2))
  await save('two', ...saved.filter((_, at) => at % 4 >= 2))
  const keyOf = ({ signature, index }: { signature: string; index: number }) => `${signature} ${index}`
  const seen: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: WalletTrades = await list(`?limit=5${next && `&before=${next}`}`)
    seen.push(...page.trades.map(keyOf))
    next = page.next
    await save('two', tradeOf(`late ${seen.length}`, { time: START + DAY, slot: 1_000 }))
  }
  expect(seen).toHaveLength(12)
  expect(new Set(seen)).toEqual(new Set(saved.map(keyOf)))

  const { next: cursor } = await list('?limit=2')
  for (const [query, of, message] of [
    [`?before=${cursor}`, addressOf('another'), '✖ Invalid cursor'],
    ['?before=x', wallet, '✖ Invalid cursor'],
    ['?limit=201', wallet, '✖ Invalid limit'],
    ['?network=moonnet', wallet, '✖ Invalid network'],
    ['', 'me', '✖ Invalid wallet address'],
  ]) {
    const response = await get(query ?? '', of as string)
    expect([response.status, await response.json()]).toEqual([400, { error: { message } }])
  }
})

test('the list is complete once the transactions of every launch have been read and kept', async () => {
  const { list, execute, database } = await prepare()
  const reasonNow = async () => (await readNetworkCompleteness(database, NETWORK)).reason
  const read = (name: string) =>
    execute(sql`
      INSERT INTO trade_progress (network, genesis_address, address, recent, gaps, has_origin, lacks_history)
      VALUES (${NETWORK}, ${addressOf(`launch ${name}`)}, ${addressOf(`launch ${name}`)}, '[]', '[]', true, false)`)
  const notRead = 'Trades are not being read at the moment.'
  expect(await list()).toEqual({ trades: [], next: null, complete: false, reason: notRead })
  await saveTradeReading(database, NETWORK)
  await read('one')
  expect(await reasonNow()).toBe('Not all transactions of 2 launches have been read.')
  await read('two')
  expect(await reasonNow()).toBe('Not all transactions of 1 launch have been read.')
  await execute(sql`UPDATE launches SET hidden = true WHERE genesis_address = ${addressOf('launch secret')}`)
  expect(await readNetworkCompleteness(database, NETWORK)).toEqual({ complete: true, reason: null })
  await execute(sql`INSERT INTO trade_retention (kept_after) VALUES ('2026-02-01')`)
  expect(await reasonNow()).toBe('Trades before 2026-02-01 are no longer kept')
})
