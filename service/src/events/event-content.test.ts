import { EventData } from '@slipway/schema/event'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveActivity } from '../store/activity.ts'
import { setAgentHidden } from '../store/curated-agents.ts'
import { saveTrades } from '../store/trades.ts'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { followEvents } from '../testing/event-client.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { startTestService } from '../testing/test-service.ts'
import { insertTradedLaunch, signatureOf, tradeOf } from '../testing/trades.ts'

const NETWORK = 'chain-mainnet'
const start = async () => {
  const service = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] } },
  })
  const address = await insertTradedLaunch(service.database, 'traded')
  return { ...service, address }
}
const now = () => Math.floor(Date.now() / 1_000)

test('trades are sent only to clients that name their type, in the form of the list of trades', async () => {
  const { url, database, address } = await start()
  const all = await followEvents(url, { query: `?address=${address}` })
  const client = await followEvents(url, { query: `?types=launch.trade&address=${address}` })
  await saveTrades(database, NETWORK, address, [tradeOf('one', { time: now(), protocolFee: 1_000_000_000n })])
  await expect.poll(() => client.events.length).toBe(1)
  const data = EventData.strict().parse(client.events[0]?.data)
  expect(data).toMatchObject({ network: NETWORK, address, quoteDecimals: 9, baseDecimals: 6 })
  const response = await fetch(`${url}/v1/launches/${address}/trades`)
  const { data: listed } = (await response.json()) as { data: { trades: object[] } }
  expect(listed.trades).toEqual([data.trade])
  expect(data.trade).toMatchObject({ signature: signatureOf('one'), price: '1' })
  expect(all.events.map(({ type }) => type)).not.toContain('launch.trade')
})

test('a burst of 2,500 trades, more than a page of events, arrives whole and in order', async () => {
  const { url, database, address } = await start()
  const client = await followEvents(url, { query: '?types=launch.trade' })
  const time = now()
  const trades = Array.from({ length: 2_500 }, (_, at) => tradeOf(`${at}`, { time, slot: at }))
  await saveTrades(database, NETWORK, address, trades)
  await expect.poll(() => client.events.length, { timeout: 60_000 }).toBe(2_500)
  const received = client.events.map(({ data }) => (data as EventData).trade?.signature)
  expect(received).toEqual(trades.map(({ signature }) => signature))
})

test('a move carries the newest figures', async () => {
  const { url, database, address } = await start()
  const client = await followEvents(url, { query: '?types=launch.moved' })
  await database.transact('test', async db => {
    const { rows } = await db.execute<{ id: string }>(sql`SELECT id FROM launches`)
    const figures = {
      raised: '7',
      sold: '1',
      supply: '2',
      progress: 500_000,
      participants: null,
      creatorFees: null,
    }
    const state = {
      launchId: rows[0]?.id ?? '',
      slot: 1,
      time: new Date(),
      ...figures,
      priceQuote: '1',
      priceBase: '1',
    }
    await saveActivity(db, [state])
    await db.execute(sql`INSERT INTO event_drafts (type, networks, addresses, times)
      VALUES ('launch.moved', ARRAY[${NETWORK}], ARRAY[${address}], ARRAY[now()])`)
  })
  await expect.poll(() => client.events.length).toBe(1)
  expect(EventData.strict().parse(client.events[0]?.data)).toMatchObject({
    figures: { raised: '7', sold: '1', supply: '2', price: '0.001', progress: 0.5 },
    quoteDecimals: 9,
    baseDecimals: 6,
  })
})

test('an event of an agent carries its name and owner, unless it was hidden', async () => {
  const { url, database } = await start()
  await saveTestAgent(database, 'Otter', { agentUri: 'https://otter.example/agent.json' })
  const client = await followEvents(url, { query: '?types=agent.changed' })
  const { address } = await saveTestAgent(database, 'Otter', { slot: 20, owner: addressOf('buyer') })
  await expect.poll(() => client.events.length).toBe(1)
  expect(EventData.strict().parse(client.events[0]?.data)).toMatchObject({
    address,
    agent: { name: 'Otter', owner: addressOf('buyer'), agentMetadataUri: null, agentToken: null },
  })
  await setAgentHidden(database, NETWORK, address, true)
  await expect.poll(() => client.events.length).toBe(2)
  expect(EventData.strict().parse(client.events[1]?.data).agent).toBeUndefined()
})
