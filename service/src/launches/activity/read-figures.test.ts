import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveActivity } from '../../store/activity.ts'
import { saveTradeProgress, saveTradeReading } from '../../store/trade-progress.ts'
import { saveTrades } from '../../store/trades.ts'
import { MINUTE_MS } from '../../testing/launch-rows.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { ALL_READ, insertTradedLaunch, tradeOf } from '../../testing/trades.ts'
import { readFigures } from './read-figures.ts'

const network = 'chain-mainnet'
const START_MS = 1_767_225_600_000
const MINUTES = 10

/** A curve on which one token was sold per minute. The indexer has read some of the states. */
async function prepare({ trades, states }: { trades: readonly number[]; states: Record<number, number> }) {
  const { database } = await createTestDatabase()
  const genesisAddress = await insertTradedLaunch(database, 'curve')
  const buy = (minute: number) =>
    tradeOf(`${minute}`, {
      time: START_MS / 1_000 + minute * 60 + 30,
      slot: minute,
      baseAmount: 1n,
      quoteAmount: 10n,
    })
  await saveTrades(database, network, genesisAddress, trades.map(buy))
  await database.transact('test', async db => {
    await saveTradeProgress(db, network, genesisAddress, { address: genesisAddress, ...ALL_READ })
    const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM launches`)
    for (const [minute, sold] of Object.entries(states))
      await saveActivity(db, [
        {
          launchId: rows[0]?.id as string,
          slot: Number(minute),
          time: new Date(START_MS + Number(minute) * MINUTE_MS + 30_000),
          raised: `${sold * 10}`,
          sold: `${sold}`,
          supply: '100',
          priceQuote: null,
          priceBase: null,
          progress: 0,
          participants: null,
          creatorFees: '0',
        },
      ])
  })
  await saveTradeReading(database, network)
  const starts = Array.from({ length: MINUTES }, (_, at) => START_MS + at * MINUTE_MS)
  return {
    change: (change: string) => database.run('test', db => db.execute(sql.raw(change))),
    buy: (minute: number) => saveTrades(database, network, genesisAddress, [buy(minute)]),
    async sold() {
      const nowMs = START_MS + 60 * MINUTE_MS
      const query = { interval: 'minute', starts, nowMs } as const
      const figures = await readFigures(database, { network, genesisAddress }, query)
      return figures?.points.map(point => point && Number(point.sold))
    },
  }
}

test('a curve whose trades lead to its newest state has the figures of its trades', async () => {
  const { sold } = await prepare({ trades: [0, 1, 2, 5], states: { 5: 4 } })
  expect(await sold()).toEqual([1, 2, 3, 3, 3, 4, 4, 4, 4, 4])
})

test('trades that lead to an older state say nothing about the time after it', async () => {
  const { sold } = await prepare({ trades: [0, 1, 3], states: { 3: 3, 5: 6, 7: 8 } })
  expect(await sold()).toEqual([1, 2, 2, 3, 3, 6, 6, 8, 8, 8])
})
