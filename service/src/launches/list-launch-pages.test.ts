import { gunzipSync } from 'node:zlib'
import type { LaunchData, LaunchPageInfo } from '@slipway/schema/launch'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveActivity, saveActivitySources } from '../store/activity.ts'
import { setHidden } from '../store/launches.ts'
import { addressOf, launchRows, MINUTE_MS } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'

const ago = (minutes: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 - minutes * MINUTE_MS)

/** Named `launch 0`, `launch 1`, … by their latest activity. */
const LAUNCHES = Array.from({ length: 60 }, (_, at) =>
  launchRows(`launch ${at}`, {
    lastActivityAt: ago(at),
    registeredAt: ago(1_000 - at),
    mechanic: at % 2 === 0 ? 'presaleV2' : 'bondingCurveV2',
    spotlight: at % 10 === 0,
    ...(at % 3 === 0 && { startsAt: ago(-60) }),
  }),
)

interface Page {
  data: LaunchData[]
  page: LaunchPageInfo
}

const shared = useTestService(() => ({ launches: LAUNCHES }))
/** For tests that change something. */
const start = async () => prepare(await startTestService({ launches: LAUNCHES }))

function prepare(service = shared()) {
  async function get(query: string): Promise<Page & { names: string[] }> {
    const answer = await rawRequest(service.url, `/v1/launches${query}`)
    expect(answer.status).toBe(200)
    const body = answer.json() as Page
    return { ...body, names: body.data.map(({ baseToken }) => baseToken.name) }
  }
  return { ...service, get }
}

const named = (...numbers: number[]) => numbers.map(number => `launch ${number}`)

test('any of the page parameters makes the answer a page; without them, it is the whole listing', async () => {
  const { url, get } = prepare()
  const whole = await rawRequest(url, '/v1/launches')
  for (const query of [
    '?page=2',
    '?limit=',
    '?query=&sort=&mechanic=&creator=&cursor=',
    '?Limit=3&colour=red',
    '?closed=yes&figures=all',
    '?closed=true&closed=false&figures[]=true',
  ])
    expect((await rawRequest(url, `/v1/launches${query}`)).body).toEqual(whole.body)
  expect(Object.keys(whole.json() as object)).toEqual(['data'])
  const { data } = whole.json() as Page

  for (const query of ['?sort=activity', '?limit=50', '?query=%20']) {
    const page = await get(query)
    expect(Object.keys(page)).toEqual(['data', 'page', 'names'])
    expect(page.data).toEqual(data.slice(0, 50))
    expect(page.page).toEqual({ next: expect.any(String), total: 60 })
  }
  expect((await get(`?limit=200`)).page).toEqual({ next: null, total: 60 })
  expect((await get(`?creator=${addressOf('nobody')}`)).page).toEqual({ next: null, total: 0 })
  expect((await get('?mechanic=launchpoolV2')).names).toEqual([])
})

test('orders and filters combine, and a cursor continues a page', async () => {
  const { get } = prepare()
  expect((await get('?sort=newest&limit=3')).names).toEqual(named(59, 58, 57))
  expect((await get('?mechanic=presaleV2&spotlight=true&limit=2')).names).toEqual(named(0, 10))
  const first = await get('?status=live&spotlight=true&limit=3')
  expect(first).toMatchObject({ names: named(10, 20, 40), page: { total: 4 } })
  const second = await get(`?status=live&spotlight=true&limit=3&cursor=${first.page.next}`)
  expect(second).toMatchObject({ names: named(50), page: { total: 4, next: null } })
  expect(await get('?network=chain-devnet&sort=ending')).toMatchObject({ names: [], page: { total: 0 } })
})

test('on request, a page says how many launches have each status, whatever its own filter', async () => {
  const { url, get } = prepare()
  const counts = { upcoming: 20, live: 40, graduated: 0, closed: 0 }
  expect((await get('?limit=1&counts=true')).page).toMatchObject({ total: 60, counts })
  expect((await get('?status=live&limit=1&counts=true')).page).toMatchObject({ total: 40, counts })
  expect((await get('?mechanic=presaleV2&status=upcoming&counts=true')).page).toMatchObject({
    total: 10,
    counts: { upcoming: 10, live: 20, graduated: 0, closed: 0 },
  })
  for (const query of [
    '?limit=1',
    '?limit=1&counts=false',
    '?limit=1&counts=many',
    '?query=launch&counts=true',
  ])
    expect(Object.keys((await get(query)).page)).toEqual(['next', 'total'])
  const whole = await rawRequest(url, '/v1/launches')
  expect((await rawRequest(url, '/v1/launches?counts=true')).body).toEqual(whole.body)
})

test('a search finds names with typos, symbols, addresses and mints, and continues with a cursor', async () => {
  const { get } = prepare()
  expect((await get('?query=lanuch%2042')).names[0]).toBe('launch 42')
  expect((await get(`?query=${addressOf('launch launch 7')}`)).names).toEqual(named(7))
  expect((await get(`?query=${addressOf('mint launch 7').slice(0, 8)}`)).names).toEqual(named(7))
  const first = await get('?query=laun&limit=2')
  expect(first).toMatchObject({ names: named(0, 1), page: { total: 60 } })
  expect((await get(`?query=laun&limit=2&cursor=${first.page.next}`)).names).toEqual(named(2, 3))
  expect((await get('?query=laun&limit=2&sort=newest')).names).toEqual(named(59, 58))
  expect((await get('?query=laun&status=upcoming&mechanic=bondingCurveV2')).page.total).toBe(10)
  expect((await get('?query=%25')).page).toEqual({ next: null, total: 0 })
})

test('an invalid parameter is refused with a text of its own', async () => {
  const { url, get } = prepare()
  const { next } = (await get('?sort=newest&limit=1')).page
  const cases: [query: string, message: string][] = [
    ['limit=0', '✖ Invalid limit'],
    ['limit=201', '✖ Invalid limit'],
    ['limit=1e2', '✖ Invalid limit'],
    ['limit=-1', '✖ Invalid limit'],
    ['limit=5&limit=6', '✖ Invalid limit'],
    ['sort=oldest', '✖ Invalid sort'],
    ['sort[]=newest', '✖ Invalid sort'],
    ['mechanic=auction', '✖ Invalid mechanic'],
    ['creator=me', '✖ Invalid creator address'],
    [`query=${'x'.repeat(201)}`, '✖ Invalid query'],
    ['query=a&query=b', '✖ Invalid query'],
    ['cursor=x', '✖ Invalid cursor'],
    [`cursor=${'x'.repeat(2_000)}`, '✖ Invalid cursor'],
    [`cursor=${next}`, '✖ Invalid cursor'],
    [`sort=newest&status=live&cursor=${next}`, '✖ Invalid cursor'],
    ['limit=0&status=dead', '✖ Invalid status'],
    ['limit=1&closed=yes', '✖ Invalid closed'],
    ['limit=1&closed=true&closed=true', '✖ Invalid closed'],
    ['query=launch&closed[]=true', '✖ Invalid closed'],
    ['limit=1&figures=all', '✖ Invalid figures'],
    ['limit=1&figures=true&figures=false', '✖ Invalid figures'],
  ]
  for (const [query, message] of cases) {
    const { status, headers, ...answer } = await rawRequest(url, `/v1/launches?${query}`)
    expect({ query, status, body: answer.json() }).toEqual({
      query,
      status: 400,
      body: { error: { message } },
    })
    expect(headers['slipway-error']).toMatch(/^INVALID_/)
  }
})

test('a page has a strong ETag for each encoding, and honours If-None-Match', async () => {
  const { url } = prepare()
  const path = '/v1/launches?sort=raised'
  const plain = await rawRequest(url, path)
  const tags = new Set([plain.headers.etag])
  expect(plain.headers['cache-control']).toBe('public, max-age=5, stale-while-revalidate=60')
  const sent = await rawRequest(url, path, { headers: { 'accept-encoding': 'gzip' } })
  expect(sent.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
  expect(gunzipSync(sent.body)).toEqual(plain.body)
  tags.add(sent.headers.etag)
  const again = await rawRequest(url, path, {
    headers: { 'accept-encoding': 'gzip', 'if-none-match': `${sent.headers.etag}` },
  })
  expect(again).toMatchObject({ status: 304, headers: { etag: sent.headers.etag } })
  expect(tags.size).toBe(2)
  for (const tag of tags) expect(tag).toMatch(/^"/)
  expect((await rawRequest(url, path, { method: 'HEAD' })).headers.etag).toBe(plain.headers.etag)
})

test('a launch that is hidden disappears from pages, totals and searches', async () => {
  const { database, get, snapshots } = await start()
  await get('?query=launch')
  const genesisAddress = addressOf('launch launch 0')
  await setHidden(database, 'chain-mainnet', genesisAddress, true)
  await snapshots.show('chain-mainnet', [genesisAddress])
  expect(await get('?limit=1')).toMatchObject({ names: named(1), page: { total: 59 } })
  expect(await get('?query=launch&limit=1')).toMatchObject({ names: named(1), page: { total: 59 } })
})

test('hostile searches are answered like any other', async () => {
  const { url } = prepare()
  const hostile = [
    '%',
    "' OR 1=1 --",
    '$1',
    '\0',
    'tide\0watch',
    '🤖'.repeat(200),
    '(a+)+$',
    'a '.repeat(100),
    '1'.repeat(44),
  ]
  for (const text of hostile) {
    const query = encodeURIComponent(text)
    const { status } = await rawRequest(url, `/v1/launches?query=${query}&status=live&sort=raised`)
    expect({ text, status }).toEqual({ text, status: 200 })
  }
  expect((await rawRequest(url, '/v1/launches?query=%ED%A0%80')).status).toBe(200)
})

test('on request, a page has only the closed launches or all others, and counts the closed ones', async () => {
  const { get, database } = await start()
  await database.run('test', db =>
    db.execute(sql`UPDATE launches SET ends_at = now() - interval '1 minute' WHERE id IN (
      SELECT launches.id FROM launches JOIN tokens USING (network, mint) WHERE name IN ('launch 1', 'launch 3', 'launch 4'))`),
  )
  // The third one has not started.
  expect(await get('?closed=true&limit=5')).toMatchObject({
    names: named(1, 4),
    page: { total: 2, next: null },
  })
  expect(await get('?closed=false&status=live&limit=2')).toMatchObject({
    names: named(2, 5),
    page: { total: 38 },
  })
  expect(await get('?closed=true&status=upcoming&limit=5')).toMatchObject({ names: [], page: { total: 0 } })
  expect((await get('?closed=false&limit=5')).page.total).toBe(58)
  expect((await get('?limit=1&counts=true')).page).toMatchObject({
    total: 60,
    counts: { live: 40, closed: 2 },
  })
  expect((await get('?query=launch&closed=true')).names).toEqual(named(1, 4))
})

test('on request, a page has the newest figures of its launches', async () => {
  const { get, database } = await start()
  const { launch } = LAUNCHES[1] as (typeof LAUNCHES)[number]
  const launchId = `${launch.id}`
  const quoteMint = addressOf('quote')
  await database.transact('test', async db => {
    await saveActivitySources(db, [
      { launchId, quoteMint, quoteDecimals: 9, baseDecimals: 6, goal: '5000', pool: null },
    ])
    await saveActivity(db, [{ ...FIGURES, launchId, slot: 1, time: ago(1) }])
  })
  const { data, page } = await get('?limit=2&figures=true')
  expect(page.figures).toEqual([
    { genesisAddress: data[0]?.launch.genesisAddress, ...UNREAD },
    {
      genesisAddress: launch.genesisAddress,
      quoteMint,
      quoteDecimals: 9,
      baseDecimals: 6,
      goal: '5000',
      current: {
        raised: '1000',
        sold: '20',
        supply: '40',
        price: '0.05',
        progress: 0.25,
        participants: 3,
        creatorFees: '7',
      },
    },
  ])
})

const FIGURES = {
  ...{ raised: '1000', sold: '20', supply: '40', priceQuote: '50', priceBase: '1' },
  ...{ progress: 250_000, participants: '3', creatorFees: '7' },
}
const UNREAD = { quoteMint: null, quoteDecimals: null, baseDecimals: null, goal: null, current: null }
