import { randomUUID } from 'node:crypto'
import { LaunchActivity } from '@slipway/schema/activity'
import { expect, test } from 'vitest'
import { type NewActivity, saveActivity, saveActivitySources } from '../store/activity.ts'
import { saveBuckets } from '../store/buckets.ts'
import { setHidden } from '../store/launches.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { startTestService } from '../testing/test-service.ts'

const HOUR_MS = 3_600_000
const SUPPLY = '800000000000000'
const address = addressOf('launch one')

/** A launch with a state in each of three hours, the last of which has passed. */
async function prepare() {
  const launchId = randomUUID()
  const ended = randomUUID()
  const graduatedAt = new Date(Date.now() - HOUR_MS)
  const service = await startTestService({
    launches: [
      launchRows('one', { id: launchId }),
      launchRows('unread'),
      launchRows('ended', { id: ended, graduatedAt }),
    ],
  })
  const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 4 * HOUR_MS
  const quoteMint = addressOf('quote')
  const source = { launchId, quoteMint, quoteDecimals: 9, baseDecimals: 6, goal: '5000000000', pool: null }
  const bucket = { network: 'chain-mainnet', genesisAddress: address, slot: 1 } as const
  await service.database.transact('test', async db => {
    await saveBuckets(db, [
      {
        ...bucket,
        address: addressOf('sale'),
        kind: 'bondingCurveV2',
        creatorFeeWallet: addressOf('creator'),
      },
      {
        ...bucket,
        address: addressOf('pool'),
        kind: 'raydiumCpmmV2',
        creatorFeeWallet: addressOf('creator'),
      },
      { ...bucket, address: addressOf('other'), kind: 'launchpoolV2' },
    ])
    await saveActivitySources(db, [source, { ...source, launchId: ended, pool: '' }])
    await saveActivity(db, [state(ended, 1, startMs, 5n)])
    for (const [at, raised] of [10n ** 9n, 2n * 10n ** 9n, 3n * 10n ** 9n].entries())
      await saveActivity(db, [state(launchId, at + 1, startMs + at * HOUR_MS, raised)])
  })
  const get = (path: string, init?: RequestInit) => fetch(`${service.url}/v1/launches/${path}`, init)
  const read = async (path: string) => {
    const { data } = (await (await get(path)).json()) as { data: LaunchActivity }
    return LaunchActivity.strict().parse(data)
  }
  return { ...service, get, read, startMs, quoteMint, graduatedAt }
}

const state = (launchId: string, slot: number, atMs: number, raised: bigint): NewActivity => ({
  launchId,
  slot,
  time: new Date(atMs),
  raised: `${raised}`,
  sold: SUPPLY,
  supply: SUPPLY,
  priceQuote: `${raised}`,
  priceBase: SUPPLY,
  progress: 250_000,
  participants: '7',
  creatorFees: null,
})

test('the figures of a launch are served, now and over time', async () => {
  const { get, read, startMs, quoteMint, graduatedAt, database } = await prepare()
  const { points, ...about } = await read(`${address}/activity`)
  expect(about).toEqual({
    genesisAddress: address,
    quoteMint,
    quoteDecimals: 9,
    baseDecimals: 6,
    goal: '5000000000',
    creatorWallets: [addressOf('creator')],
    current: {
      raised: '3000000000',
      sold: SUPPLY,
      supply: SUPPLY,
      price: '0.00000000375',
      progress: 0.25,
      participants: 7,
      creatorFees: null,
    },
    endedAt: null,
  })
  // From the first state until now; the last one is repeated. Another hour may begin while this runs.
  expect(points.slice(0, 5).map(({ time, raised }) => [Date.parse(time) - startMs, raised])).toEqual([
    [0, '1000000000'],
    [HOUR_MS, '2000000000'],
    [2 * HOUR_MS, '3000000000'],
    [3 * HOUR_MS, '3000000000'],
    [4 * HOUR_MS, '3000000000'],
  ])

  const from = encodeURIComponent(new Date(startMs).toISOString().replace('Z', '+00:00'))
  const to = new Date(startMs + HOUR_MS).toISOString()
  const minutes = await read(`${address}/activity?interval=minute&from=${from}&to=${to}`)
  expect(minutes.points).toHaveLength(60)
  expect(new Set(minutes.points.map(({ raised }) => raised))).toEqual(new Set(['1000000000']))
  expect((await read(`${address}/activity?interval=day&to=2020-01-01`)).points).toEqual([])
  expect(
    (await read(`${address}/activity?interval=minute&from=1970-01-01`)).points.length,
  ).toBeLessThanOrEqual(500)

  // The launch has not been read from the chain yet.
  expect(await read(`${addressOf('launch unread')}/activity`)).toMatchObject({
    quoteMint: null,
    current: null,
    points: [],
  })
  // It graduated, and its pool can't be read.
  const ended = await read(`${addressOf('launch ended')}/activity`)
  expect(ended.endedAt).toBe(graduatedAt.toISOString())
  expect(ended.current?.raised).toBe('5')
  expect(Date.parse(ended.points.at(-1)?.time as string)).toBeLessThanOrEqual(graduatedAt.getTime())

  await checkConditional(get)
  await setHidden(database, 'chain-mainnet', address, true)
  await expect.poll(async () => (await get(`${address}/activity`)).status).toBe(404)
})

async function checkConditional(get: (path: string, init?: RequestInit) => Promise<Response>) {
  const path = `${address}/activity`
  const plain = await get(path, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('cache-control')).toBe('public, no-cache')
  const etag = plain.headers.get('etag') as string
  const body = await plain.text()
  const packed = await get(path, { headers: { 'accept-encoding': 'gzip' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(packed.headers.get('etag')).not.toBe(etag)
  expect(await packed.text()).toBe(body)
  const again = await get(path, { headers: { 'accept-encoding': 'identity', 'if-none-match': etag } })
  expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
  const head = await get(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, `${Buffer.byteLength(body)}`])
}

test('invalid input is refused before the launch is looked up', async () => {
  const { get } = await prepare()
  const answer = async (path: string) => {
    const response = await get(path)
    const { error } = (await response.json()) as { error: { message: string } }
    return [response.status, error.message]
  }
  const unknown = addressOf('unknown')
  for (const launch of [address, unknown, 'no-address']) {
    for (const query of ['interval=week', 'interval=Hour', 'interval=hour&interval=day', 'interval[]=hour'])
      expect(await answer(`${launch}/activity?${query}`), query).toEqual([400, '✖ Invalid interval'])
    for (const query of [
      'from=yesterday',
      'to=1770000000',
      'from=2026-02-30',
      'from=2026-01-01T00:00:00',
      'from=2026-01-01T00:00:00+01:00',
      'from=2026-01-02&to=2026-01-01',
      'to=2026-01-01&to=2026-01-02',
    ])
      expect(await answer(`${launch}/activity?${query}`), query).toEqual([400, '✖ Invalid time'])
    expect(await answer(`${launch}/activity?network=other`)).toEqual([400, '✖ Invalid network'])
  }
  expect(await answer(`${unknown}/activity`)).toEqual([404, 'Launch not found'])
  expect(await answer('no-address/activity')).toEqual([404, 'Launch not found'])
  expect(await answer(`${address}/activity?network=chain-devnet`)).toEqual([404, 'Launch not found'])
  expect((await get(`${address}/activity?interval=&from=&to=&network=solana-mainnet`)).status).toBe(200)
})
