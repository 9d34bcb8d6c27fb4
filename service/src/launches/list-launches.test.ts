import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LaunchData } from '@slipway/schema/launch'
import { describe, expect, test } from 'vitest'
import { insertLaunches, setSpotlight } from '../store/launches.ts'
import { addressOf, launchRows, MINUTE_MS } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'

const nowMs = Date.now()
const at = (minutes: number) => new Date(Math.floor(nowMs / 1_000) * 1_000 + minutes * MINUTE_MS)

const UPCOMING = launchRows('upcoming', { startsAt: at(30), lastActivityAt: at(-3) })
const LIVE = launchRows('live', { mechanic: 'bondingCurveV2', lastActivityAt: at(-2), spotlight: true })
const GRADUATED = launchRows('graduated', {
  mechanic: 'presaleV2',
  graduatedAt: at(-5),
  lastActivityAt: at(-1),
})
const SPOTLIT_UPCOMING = launchRows('spotlit', { startsAt: at(60), lastActivityAt: at(-4), spotlight: true })
const DEVNET = launchRows('devnet', { network: 'chain-devnet' })
const WORLD = [UPCOMING, LIVE, GRADUATED, SPOTLIT_UPCOMING, DEVNET]

/** For tests that only read. */
const world = useTestService(() => ({ launches: WORLD }))

async function listNames(url: string, query = ''): Promise<string[]> {
  const answer = await rawRequest(url, `/v1/launches${query}`)
  expect(answer.status).toBe(200)
  return (answer.json() as { data: LaunchData[] }).data.map(({ baseToken }) => baseToken.name)
}

describe('List Launches', () => {
  test('answers 200 with data: LaunchData[], exactly the fields of the contract', async () => {
    const { url } = await startTestService({
      launches: [
        launchRows(
          'whole',
          {
            mechanic: 'launchpoolV2',
            startsAt: new Date('2026-01-02T03:04:05Z'),
            endsAt: new Date('2026-01-09T03:04:05.678Z'),
            graduatedAt: new Date('2026-01-09T04:00:00Z'),
            lastActivityAt: new Date('2026-01-10T00:00:00.001Z'),
            spotlight: true,
            heroUrl: 'heroes/whole.webp',
            website: 'https://whole.example',
            socials: {
              x: 'https://x.com/whole',
              telegram: 'https://t.me/whole',
              discord: 'https://discord.gg/whole',
            },
            verifiedSocials: ['x'],
          },
          { symbol: 'WHO', image: 'https://whole.example/a.png', description: 'All “fields” — ünïcode 🚢' },
        ),
      ],
    })
    const answer = await rawRequest(url, '/v1/launches')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toEqual({
      data: [
        {
          launch: {
            launchPage: `https://slipway.example/launches/${addressOf('launch whole')}`,
            mechanic: 'launchpoolV2',
            genesisAddress: addressOf('launch whole'),
            spotlight: true,
            startTime: '2026-01-02T03:04:05.000Z',
            endTime: '2026-01-09T03:04:05.678Z',
            status: 'graduated',
            heroUrl: 'heroes/whole.webp',
            graduatedAt: '2026-01-09T04:00:00.000Z',
            lastActivityAt: '2026-01-10T00:00:00.001Z',
            type: 'launchpool',
          },
          baseToken: {
            address: addressOf('mint whole'),
            name: 'whole',
            symbol: 'WHO',
            image: 'https://whole.example/a.png',
            description: 'All “fields” — ünïcode 🚢',
          },
          website: 'https://whole.example',
          socials: {
            x: 'https://x.com/whole',
            telegram: 'https://t.me/whole',
            discord: 'https://discord.gg/whole',
          },
        },
      ],
    })
  })

  test('a missing value is null, an empty string or an empty object; an open end is the last millisecond of 9999', async () => {
    const { url } = await startTestService({
      launches: [launchRows('bare', { endsAt: new Date('9999-12-31T23:59:59.999Z') })],
    })
    const { data } = (await rawRequest(url, '/v1/launches')).json() as { data: LaunchData[] }
    expect(data[0]).toMatchObject({
      launch: { heroUrl: null, graduatedAt: null, endTime: '9999-12-31T23:59:59.999Z', spotlight: false },
      baseToken: { image: '', description: '' },
      website: '',
      socials: {},
    })
  })

  test('names, symbols and descriptions are shown without invisible characters, however they are stored', async () => {
    const stored = launchRows(
      'stored',
      {},
      { name: 'US\u200bDC\u202e ', symbol: '\u2066', description: ' d\u0007\n' },
    )
    const { url } = await startTestService({ launches: [stored] })
    const shown = { name: 'USDC', symbol: '', description: 'd' }
    const { launch, token } = stored
    for (const path of ['', `/${launch.genesisAddress}`])
      expect([(await rawRequest(url, `/v1/launches${path}`)).json()]).toMatchObject([
        { data: path ? { baseToken: shown } : [{ baseToken: shown }] },
      ])
    expect((await rawRequest(url, `/v1/tokens/${token.mint}`)).json()).toMatchObject({
      data: { baseToken: shown },
    })
  })

  test('mechanic is the name on the chain; type is presale for presales and launchpool for the rest', async () => {
    const { url } = world()
    const { data } = (await rawRequest(url, '/v1/launches')).json() as { data: LaunchData[] }
    expect(Object.fromEntries(data.map(({ launch }) => [launch.mechanic, launch.type]))).toEqual({
      launchpoolV2: 'launchpool',
      presaleV2: 'presale',
      bondingCurveV2: 'launchpool',
    })
  })

  test("network filters; chain-mainnet is the default, and the chain's own names are synonyms", async () => {
    const { url } = world()
    const mainnet = await rawRequest(url, '/v1/launches')
    for (const name of ['chain-mainnet', 'solana-mainnet', ''])
      expect((await rawRequest(url, `/v1/launches?network=${name}`)).text).toBe(mainnet.text)
    expect(await listNames(url, '?network=chain-devnet')).toEqual(['devnet'])
    expect(await listNames(url, '?network=solana-devnet')).toEqual(['devnet'])
    expect((await rawRequest(url, '/v1/launches?network=solana-devnet')).text).not.toContain('solana')
  })

  test('filters combine; if nothing matches, the list is empty', async () => {
    const { url } = world()
    expect(await listNames(url)).toEqual(['graduated', 'live', 'upcoming', 'spotlit'])
    expect(await listNames(url, '?status=graduated')).toEqual(['graduated'])
    expect(await listNames(url, '?spotlight=true')).toEqual(['live', 'spotlit'])
    expect(await listNames(url, '?status=upcoming&spotlight=false')).toEqual(['upcoming'])
    expect(await listNames(url, '?spotlight=true&network=chain-devnet')).toEqual([])
    expect(await listNames(url, '?status=live&spotlight=true&network=chain-mainnet')).toEqual(['live'])
    const nothing = await rawRequest(url, '/v1/launches?status=graduated&spotlight=true')
    expect([nothing.status, nothing.text]).toEqual([200, '{"data":[]}'])
    const empty = await startTestService()
    expect((await rawRequest(empty.url, '/v1/launches')).text).toBe('{"data":[]}')
  })

  test('an invalid value is a 400 that names the first fault only', async () => {
    const { url } = await startTestService()
    for (const [query, message] of [
      ['network=mainnet', '✖ Invalid network'],
      ['network=Chain-Mainnet', '✖ Invalid network'],
      ['status=LIVE', '✖ Invalid status'],
      ['status=ended', '✖ Invalid status'],
      ['spotlight=yes', '✖ Invalid spotlight'],
      ['spotlight=1', '✖ Invalid spotlight'],
      ['spotlight=1&status=x&network=y', '✖ Invalid network'],
      ['spotlight=1&status=x', '✖ Invalid status'],
    ]) {
      const answer = await rawRequest(url, `/v1/launches?${query}`)
      expect([query, answer.status, answer.json()]).toEqual([query, 400, { error: { message } }])
    }
  })
})

describe('Get Spotlight', () => {
  test('cannot be set by a request', async () => {
    const { url, snapshots } = await startTestService({ launches: [UPCOMING] })
    const address = UPCOMING.launch.genesisAddress
    const body = JSON.stringify({ spotlight: true, launch: { spotlight: true, genesisAddress: address } })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'])
      for (const path of [
        '/v1/launches',
        `/v1/launches/${address}`,
        '/v1/launches/register',
        '/v1/launches?spotlight=true',
      ])
        await rawRequest(url, path, { method, headers: { 'content-type': 'application/json' }, body })
    await snapshots.caughtUp()
    expect(await listNames(url, '?spotlight=true')).toEqual([])
  })
})

describe('caching and encodings', () => {
  test('each encoding has its own strong ETag, and sending it back gets a 304', async () => {
    const { url, snapshots } = world()
    while (!snapshots.of('chain-mainnet').listing({ status: undefined, spotlight: undefined })?.br)
      await sleep(20)
    const plain = await rawRequest(url, '/v1/launches')
    const tags = new Set<string>()
    for (const [encoding, decode] of [
      ['identity', (body: Buffer) => body],
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const answer = await rawRequest(url, '/v1/launches', { headers: { 'accept-encoding': encoding } })
      expect(answer.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
      expect(decode(answer.body).toString()).toBe(plain.text)
      expect(answer.headers).toMatchObject({
        'cache-control': 'public, max-age=5, stale-while-revalidate=60',
        vary: 'Accept-Encoding',
        etag: expect.stringMatching(/^"[\w-]+"$/),
      })
      tags.add(answer.headers.etag as string)
      const again = await rawRequest(url, '/v1/launches', {
        headers: { 'accept-encoding': encoding, 'if-none-match': `"other", W/${answer.headers.etag}` },
      })
      expect([again.status, again.body.length]).toEqual([304, 0])
      expect(again.headers).toMatchObject({
        etag: answer.headers.etag,
        'cache-control': answer.headers['cache-control'],
        vary: 'Accept-Encoding',
      })
    }
    expect(tags.size).toBe(3)
  })

  test('the ETag changes if and only if the content changes', async () => {
    const { url, database, snapshots } = await startTestService({ launches: WORLD })
    const tag = async () => (await rawRequest(url, '/v1/launches')).headers.etag
    const first = await tag()
    snapshots.everythingChanged()
    await snapshots.caughtUp()
    expect(await tag()).toBe(first)
    await setSpotlight(database, 'chain-mainnet', UPCOMING.launch.genesisAddress, true)
    await expect.poll(tag).not.toBe(first)
    await setSpotlight(database, 'chain-mainnet', UPCOMING.launch.genesisAddress, false)
    await expect.poll(tag).toBe(first)
  })
})

describe('changes', () => {
  test('are visible on every node of the deployment before a node looks for them by itself', async () => {
    const { connection, database } = await createTestDatabase()
    const nodes = [await startTestService({ connection }), await startTestService({ connection })]
    const listings = () => Promise.all(nodes.map(({ url }) => listNames(url)))
    const within = { timeout: 4_000, interval: 10 }

    await insertLaunches(database, [launchRows('first', { lastActivityAt: at(-10) }), launchRows('second')])
    await expect.poll(listings, within).toEqual([
      ['second', 'first'],
      ['second', 'first'],
    ])
    // Whichever client writes, and however.
    await runSql(
      connection,
      `UPDATE launches SET last_activity_at = now() WHERE genesis_address = '${addressOf('launch first')}'`,
    )
    await expect.poll(listings, within).toEqual([
      ['first', 'second'],
      ['first', 'second'],
    ])
    await runSql(connection, `UPDATE tokens SET name = 'renamed' WHERE mint = '${addressOf('mint second')}'`)
    await expect.poll(listings, within).toEqual([
      ['first', 'renamed'],
      ['first', 'renamed'],
    ])
    await runSql(connection, `DELETE FROM launches WHERE genesis_address = '${addressOf('launch first')}'`)
    await expect.poll(listings, within).toEqual([['renamed'], ['renamed']])
    await runSql(connection, 'TRUNCATE launches')
    await expect.poll(listings, within).toEqual([[], []])
    // Nodes with the same launches use the same ETag.
    const [a, b] = await Promise.all(nodes.map(({ url }) => rawRequest(url, '/v1/launches')))
    expect(a?.headers.etag).toBe(b?.headers.etag)
  })
})

describe('Get Launch', () => {
  test('answers the launch as it is listed, which of its links are verified, and its agent', async () => {
    const agent = addressOf('agent')
    const rows = launchRows('one', { socials: { x: 'https://x.com/one' }, verifiedSocials: ['x'], agent })
    const { url } = await startTestService({ launches: [rows, LIVE] })
    const { data } = (await rawRequest(url, '/v1/launches')).json() as { data: LaunchData[] }
    const listed = data.find(({ baseToken }) => baseToken.name === 'one')
    const answer = await rawRequest(url, `/v1/launches/${rows.launch.genesisAddress}`)
    expect([answer.status, answer.json()]).toEqual([
      200,
      { data: { ...listed, verifiedSocials: ['x'], agent } },
    ])
    expect(answer.headers.etag).toMatch(/^"[\w-]+"$/)
    const again = await rawRequest(url, `/v1/launches/${rows.launch.genesisAddress}`, {
      headers: { 'if-none-match': answer.headers.etag as string },
    })
    expect(again.status).toBe(304)
    const other = await rawRequest(url, `/v1/launches/${LIVE.launch.genesisAddress}`)
    expect(other.json()).toMatchObject({ data: { verifiedSocials: [] } })
  })

  test('404 Launch not found for an unknown or malformed address and for one on another network; 400 for an invalid network', async () => {
    const { url } = world()
    for (const path of [
      addressOf('nobody'),
      'abc',
      '0OIl',
      `${LIVE.launch.genesisAddress}?network=chain-devnet`,
    ]) {
      const answer = await rawRequest(url, `/v1/launches/${path}`)
      expect([path, answer.status, answer.json()]).toEqual([
        path,
        404,
        { error: { message: 'Launch not found' } },
      ])
    }
    const wrong = await rawRequest(url, `/v1/launches/${LIVE.launch.genesisAddress}?network=x`)
    expect([wrong.status, wrong.json()]).toEqual([400, { error: { message: '✖ Invalid network' } }])
  })
})

describe('Get Token', () => {
  test('answers the token with all its launches, newest activity first, and the links of the launch that created it', async () => {
    const mint = addressOf('mint twice')
    const first = launchRows('twice', {
      mint,
      registeredAt: at(-500),
      lastActivityAt: at(-1),
      website: 'https://old.example',
    })
    const second = launchRows('twice again', {
      mint,
      registeredAt: at(-400),
      lastActivityAt: at(-9),
      website: 'https://new.example',
      socials: { x: 'https://x.com/new' },
      createdToken: false,
    })
    const { url } = await startTestService({ launches: [first, second, LIVE] })
    const answer = await rawRequest(url, `/v1/tokens/${mint}`)
    const { data } = answer.json() as { data: { launches: LaunchData['launch'][] } }
    expect(data).toMatchObject({
      baseToken: { address: mint, name: 'twice' },
      website: 'https://old.example',
      socials: {},
    })
    expect(data.launches.map(({ genesisAddress }) => genesisAddress)).toEqual([
      first.launch.genesisAddress,
      second.launch.genesisAddress,
    ])
    expect(Object.keys(data)).toEqual(['launches', 'baseToken', 'website', 'socials'])
  })

  test('404 Token not found; 400 for an invalid network', async () => {
    const { url } = world()
    for (const path of [addressOf('nobody'), 'x', `${LIVE.token.mint}?network=chain-devnet`]) {
      const answer = await rawRequest(url, `/v1/tokens/${path}`)
      expect([path, answer.status, answer.json()]).toEqual([
        path,
        404,
        { error: { message: 'Token not found' } },
      ])
    }
    expect((await rawRequest(url, `/v1/tokens/${LIVE.token.mint}?network=x`)).status).toBe(400)
  })
})
