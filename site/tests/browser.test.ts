import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { saveBuckets } from '../../service/src/store/buckets.ts'
import type { Database } from '../../service/src/store/database.ts'
import { saveTrades } from '../../service/src/store/trades.ts'
import { addressOf, launchRows, MINUTE_MS } from '../../service/src/testing/launch-rows.ts'
import { rawRequest } from '../../service/src/testing/raw-request.ts'
import { CHAIN_ENDS, startTestService } from '../../service/src/testing/test-service.ts'
import { insertTradedLaunch, tradeOf } from '../../service/src/testing/trades.ts'
import { shorten } from '../src/lib/format.ts'
import {
  CHROMIUM,
  DESKTOP,
  eventually,
  findProblems,
  hold,
  isInteractive,
  openPage,
  TEST_MS,
  visit,
} from './site-browser.ts'

const HOSTILE = '<img src=x onerror=alert(1)> \u202egnp.exe'
const hourAgo = new Date(Date.now() - 60 * MINUTE_MS)

const pageOf = (name: string) => `/launches/${addressOf(`launch ${name}`)}`

const startSite = (options: Parameters<typeof startTestService>[0] = {}) =>
  startTestService({
    site: true,
    limits: CHAIN_ENDS,
    ...options,
    config: {
      rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': ['http://127.0.0.1:9'] },
      ...options.config,
    },
  })

const LAUNCHES = [
  launchRows(
    'Tidewater',
    { spotlight: true },
    { description: 'Forecasts for small harbours.', image: 'https://images.invalid/a.png' },
  ),
  launchRows('Glasshouse', { startsAt: new Date(Date.now() + 60 * MINUTE_MS) }),
  launchRows('Orchard', { graduatedAt: hourAgo, lastActivityAt: hourAgo }),
  launchRows(
    'hostile',
    { website: 'javascript:alert(3)' },
    { name: HOSTILE, description: HOSTILE, image: 'data:text/html,<script>alert(2)</script>' },
  ),
]

/** Changes a launch as the indexer does. */
async function move(database: Database, name: string) {
  const genesisAddress = addressOf(`launch ${name}`)
  const bucket = {
    network: 'chain-mainnet',
    address: addressOf(`bucket ${name}`),
    genesisAddress,
    kind: 'launchpoolV2',
    slot: 1,
  } as const
  const save = (digest: string) =>
    database.run('test', db => saveBuckets(db, [{ ...bucket, digest, changedAt: new Date() }]))
  await save('before')
  await database.run('test', db =>
    db.execute(sql`UPDATE launches SET last_activity_at = now() WHERE genesis_address = ${genesisAddress}`),
  )
  await save('after')
}

/** Notes launches whose creation was interrupted, as the form does. */
function begin(...names: string[]): string {
  const launches = names.map(name => ({
    network: 'chain-mainnet',
    genesisAccount: addressOf(`launch ${name}`),
    mintAddress: addressOf(`mint ${name}`),
    request: { wallet: addressOf('someone'), launch: { name, symbol: 'X', type: 'launchpool' } },
    ...{ signatures: ['none'], lastValidBlockHeight: 1, earlier: 0, confirmed: 0 },
  }))
  return `localStorage.setItem('started-launches', ${JSON.stringify(JSON.stringify(launches))})`
}

/** One agent of a wallet per page. */
function agentsFrom(search: URLSearchParams) {
  const names = ['first', 'second', 'third']
  const at = Math.max(0, names.indexOf(search.get('agents') ?? ''))
  const name = names[at] as string
  const address = addressOf(`agent ${name}`)
  const title = `${name[0]?.toUpperCase()}${name.slice(1)} agent`
  return {
    data: {
      ...{ positions: [], launches: [], rewards: [], truncated: true, unavailable: [addressOf('launch')] },
      agents: [{ address, name: title, image: null, wallet: address, lamports: '2500000000' }],
      next: { positions: null, launches: null, agents: names[at + 1] ?? null },
    },
  }
}

/** Where most of a chart is drawn, from 0 at its left edge to 1 at its right. -1 until there is a chart. */
const DRAWN_AT = `(() => {
  const canvas = document.querySelector('main canvas')
  const over = document.querySelector('main .u-over')?.getBoundingClientRect()
  if (!canvas || !over) return -1
  const frame = canvas.getBoundingClientRect()
  const scale = canvas.width / frame.width
  const [left, top] = [(over.left - frame.left) * scale, (over.top - frame.top) * scale].map(Math.round)
  const [width, height] = [over.width * scale, over.height * scale].map(Math.floor)
  const { data } = canvas.getContext('2d').getImageData(left, top, width, height)
  const inkAt = x => Array.from({ length: height }, (_, y) => data[4 * (y * width + x) + 3]).filter(alpha => alpha > 0).length
  const ink = Array.from({ length: width }, (_, x) => inkAt(x))
  return ink.indexOf(Math.max(...ink)) / width
})()`

const namesOf = (page: Page) => page.locator('li[aria-posinset] [class*=name] bdi').allTextContents()

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test(
    'filters and the order are in the address, the keyboard reaches a launch, which opens at its top, and going back restores the list',
    async () => {
      const { url } = await startSite({ launches: [...LAUNCHES, launchRows('Saltpan', { endsAt: hourAgo })] })
      const { page, complaints } = await openPage(url)
      await isInteractive(page)
      expect(await namesOf(page)).toHaveLength(5)
      await page
        .getByRole('navigation', { name: 'Status' })
        .getByRole('link', { name: /^Upcoming/ })
        .click()
      await eventually(() => namesOf(page)).toEqual(['Glasshouse'])
      expect(new URL(page.url()).search).toBe('?status=upcoming')
      await page.getByRole('link', { name: /^Live 2/ }).click()
      await eventually(() => namesOf(page)).not.toContain('Saltpan')
      await page.getByRole('link', { name: /^Closed 1/ }).click()
      await page.getByRole('link', { name: /Saltpan.*Closed/ }).waitFor()
      await page.getByRole('heading', { name: 'Closed launches' }).waitFor()
      await page.getByRole('link', { name: /^All 5/ }).click()
      await page.locator('summary', { hasText: 'Live first' }).click()
      await page.getByRole('link', { name: 'Ending soonest' }).click()
      await eventually(() => new URL(page.url()).search).toBe('?sort=ending')
      await page.goto(`${url}/?q=tidewatr`)
      await eventually(() => namesOf(page)).toEqual(['Tidewater'])
      await page.goto(`${url}/?q=nothing+like+it`)
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
      // From one empty list to the next, the page never shows nothing.
      await isInteractive(page)
      const release = await hold(page, /v1\/launches\?(?=.*query=nothing)(?=.*devnet)/)
      await page.getByRole('link', { name: 'Look on Devnet' }).click()
      await page.getByRole('status', { name: 'Loading launches' }).waitFor()
      release()
      await page.getByRole('link', { name: 'Clear the search' }).first().click()
      await page.getByRole('heading', { name: 'No launches on Devnet yet' }).waitFor()

      // Both were begun here, and the first is listed by now.
      await page.evaluate(begin('Tidewater', 'Mudflat'))
      await page.setViewportSize({ width: 1_280, height: 400 })
      await visit(page, url)
      await page.getByRole('link', { name: 'Continue Mudflat' }).waitFor()
      await eventually(() => page.getByRole('link', { name: /^Continue/ }).count()).toBe(1)
      await eventually(() => namesOf(page)).toHaveLength(5)
      await page.evaluate('scrollTo(0, 250)')
      await page.getByRole('link', { name: /Orchard/ }).click()
      await eventually(() => page.evaluate('document.activeElement?.tagName')).toMatch(/^(H1|MAIN)$/)
      await eventually(() => page.evaluate('scrollY')).toBe(0)
      await page.goBack()
      await eventually(() => namesOf(page)).toHaveLength(5)
      await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(200)

      await visit(page, url)
      await eventually(() => namesOf(page)).toHaveLength(5)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await eventually(() => page.evaluate('document.activeElement?.id')).toBe('content')
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab')
        if (await page.evaluate("document.activeElement?.closest('li')?.ariaPosInSet")) break
      }
      await page.keyboard.press('Enter')
      await eventually(() => page.url()).toContain('/launches/')
      await page.goBack()
      await eventually(() => namesOf(page)).toHaveLength(5)
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )

  test(
    'a launch that moves rises to the top, but not while the reader points at the list',
    async () => {
      const { url, database } = await startSite({
        launches: ['one', 'two', 'three'].map((name, at) =>
          launchRows(name, { lastActivityAt: new Date(Date.now() - (at + 2) * MINUTE_MS) }),
        ),
      })
      const { page } = await openPage(url)
      await isInteractive(page)
      await eventually(() => namesOf(page)).toEqual(['one', 'two', 'three'])
      await move(database, 'three')
      const shown = () => namesOf(page)
      await eventually(shown).toEqual(['three', 'one', 'two'])

      await page.locator('li[aria-posinset]').first().hover()
      await move(database, 'two')
      await page.getByRole('button', { name: '1 launch moved' }).waitFor()
      expect(await shown()).toEqual(['three', 'one', 'two'])
      await page.mouse.move(5, 5)
      await eventually(shown).toEqual(['two', 'three', 'one'])
    },
    TEST_MS,
  )

  test(
    'one search, opened with a key on any page, finds launches with typos, and an address leads to what it is',
    async () => {
      const { url } = await startSite({ launches: LAUNCHES })
      const { page, complaints } = await openPage(`${url}/status`)
      await isInteractive(page)
      await page.keyboard.press('/')
      const field = page.getByRole('combobox')
      const isClosed = () => eventually(() => page.locator('dialog[open]').count()).toBe(0)
      await field.pressSequentially('tidewatr')
      const option = page.getByRole('option', { name: /Tidewater/, selected: true })
      await option.waitFor()
      // Until everything is found, options change their places.
      await eventually(
        async () => (await field.getAttribute('aria-activedescendant')) === (await option.getAttribute('id')),
      ).toBe(true)
      await field.fill('no such thing')
      await page.getByText('Nothing matches').waitFor()
      expect(await findProblems({ page, complaints })).toEqual([])
      await page.keyboard.press('Escape')
      await isClosed()

      await page.keyboard.press('Control+K')
      // Enter may come before the answer.
      await field.fill(addressOf('mint Orchard'))
      await page.keyboard.press('Enter')
      await eventually(() => page.url()).toBe(url + pageOf('Orchard'))
      await isClosed()
      await page.keyboard.press('/')
      await field.fill(`https://elsewhere.example/?wallet=${addressOf('someone')}`)
      await page.getByRole('option', { name: /Mainnet/ }).click()
      await eventually(() => page.url()).toBe(`${url}/wallets/${addressOf('someone')}`)
      await page.getByRole('heading', { name: 'The service is not answering' }).waitFor()
      await page.getByRole('heading', { name: 'Wallet', level: 1 }).waitFor()

      // The chain is not reachable here.
      const cursors: (string | null)[] = []
      await page.route('**/v1/wallets/**', route => {
        const { searchParams } = new URL(route.request().url())
        cursors.push(searchParams.get('agents'))
        return route.fulfill({ json: agentsFrom(searchParams) })
      })
      await page.getByRole('button', { name: 'Try again' }).click()
      const agents = page.getByRole('region', { name: 'Agents' })
      await agents.getByRole('link', { name: 'First agent Its wallet holds 2.5 SOL' }).waitFor()
      await page.getByText(/^No .*launches that pay it fees.* yet\.$/).waitFor()
      await page.getByText('1 launch could not be read right now.').waitFor()
      await agents.getByRole('button', { name: 'Show more' }).click()
      await agents.getByRole('link', { name: /^Second agent/ }).waitFor()
      await agents.getByRole('button', { name: 'Show more' }).click()
      await agents.getByRole('link', { name: /^Third agent/ }).waitFor()
      expect(await agents.getByRole('link').count()).toBe(3)
      expect(await agents.getByRole('button').count()).toBe(0)
      expect([...new Set(cursors)]).toEqual([null, 'second', 'third'])
      expect(await findProblems({ page, complaints })).toEqual([])
    },
    TEST_MS,
  )

  test(
    'rows are added near the end, 200 of them stay in the document, and without script there is a link to the next page',
    async () => {
      const { url } = await startSite({
        launches: Array.from({ length: 260 }, (_, at) =>
          launchRows(`launch ${at}`, { lastActivityAt: new Date(Date.now() - at * MINUTE_MS) }),
        ),
      })
      const { page, complaints } = await openPage(url)
      await isInteractive(page)
      const rows = page.locator('li[aria-posinset]')
      await eventually(async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return rows.count()
      }).toBe(200)
      await page.getByText('200 of 260 launches shown').waitFor()
      await page.getByRole('link', { name: 'Show more' }).click()
      // Now only those in view are in the document. The focus is where the new rows begin.
      await eventually(() => page.evaluate('document.activeElement?.textContent')).toContain('launch 200')
      await eventually(() => rows.count()).toBeLessThan(60)
      await eventually(async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return rows.getByText('launch 259').count()
      }).toBe(1)
      expect(complaints).toEqual([])

      const { page: plain } = await openPage(url, { ...DESKTOP, javaScriptEnabled: false, hurries: false })
      expect(await namesOf(plain)).toHaveLength(50)
      await plain.getByRole('link', { name: 'Show more' }).click()
      await plain.getByRole('link', { name: 'Back to the start of the list' }).waitFor()
      expect((await namesOf(plain)).slice(0, 2)).toEqual(['launch 50', 'launch 51'])
    },
    TEST_MS,
  )

  test(
    'a launch turns live at its second, and its page says when it is no longer listed',
    async () => {
      const startsAt = new Date(Date.now() + 10 * MINUTE_MS)
      const { url, database } = await startSite({ launches: [launchRows('starting', { startsAt })] })
      const { page } = await openPage('about:blank', { ...DESKTOP, hurries: false })
      await page.clock.install()
      await visit(page, url + pageOf('starting'))
      await page.clock.pauseAt(startsAt.getTime() - 4_000)
      await page.clock.runFor(2_000)
      await page
        .getByText(/^Deposits open in \d s$/)
        .first()
        .waitFor()
      expect(await page.locator('h1 ~ div').getByText('Upcoming').count()).toBe(1)
      const calendar = page.getByRole('link', { name: 'Add to calendar' }).filter({ visible: true })
      const [file] = await Promise.all([page.waitForEvent('download'), calendar.click()])
      expect(file.suggestedFilename()).toBe('starting opens.ics')
      const openedAt = startsAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')
      expect(await readFile(await file.path(), 'utf8')).toContain(`DTSTART:${openedAt}\r\n`)
      await page.clock.runFor(3_000)
      await page.locator('h1 ~ div').getByText('Live').waitFor()
      await page.clock.resume()
      await database.run('test', db => db.execute(sql`UPDATE launches SET hidden = true`))
      await page.getByRole('heading', { name: 'No longer listed' }).waitFor()
    },
    TEST_MS,
  )

  test(
    'the page of a launch lists its trades, adds new ones at the top and older ones when asked, and says what is missing',
    async () => {
      const { url, database } = await startSite()
      const address = await insertTradedLaunch(database, 'traded', { mechanic: 'bondingCurveV2' })
      const time = Math.floor(Date.now() / 1_000) - 3_600
      const save = (...trades: Parameters<typeof saveTrades>[3]) =>
        saveTrades(database, 'chain-mainnet', address, trades)
      await save(
        ...Array.from({ length: 24 }, (_, at) => tradeOf(`${at}`, { time: time + at, slot: at })),
        tradeOf('tiny', {
          time: time + 30,
          slot: 30,
          kind: 'sell',
          baseAmount: 1_000_000_000n,
          quoteAmount: 205_000n,
        }),
      )
      const { page, complaints } = await openPage(`${url}/launches/${address}`)
      const trades = page.getByRole('region', { name: 'Trades' })
      const rows = trades.getByRole('row')
      const holders = page.getByRole('region', { name: 'Holders' })
      await holders.getByText('Holders are not available now.').waitFor()
      await trades.getByText('Trades are not being read at the moment.').waitFor()
      expect(await rows.count()).toBe(1 + 20)
      const newest = rows.nth(1)
      expect(await newest.textContent()).toContain('Sold')
      expect(await newest.getByText('0.0₆205').count()).toBe(1)
      const transaction = newest.getByRole('link', { name: 'view transaction' })
      expect(await transaction.getAttribute('href')).toMatch(/^https:\/\/explorer\.solana\.com\/tx\/./)
      const wallet = newest.getByRole('link', { name: shorten(addressOf('trader')) })
      expect(await wallet.getAttribute('href')).toContain(`/wallets/${addressOf('trader')}`)
      await trades.getByRole('button', { name: 'Show more' }).click()
      await eventually(() => rows.count()).toBe(1 + 25)
      expect(await trades.getByRole('button', { name: 'Show more' }).count()).toBe(0)

      await save(tradeOf('deposit', { time: time + 60, slot: 60, kind: 'deposit', baseAmount: 0n }))
      await move(database, 'traded')
      await newest.getByText('Deposited').waitFor()
      expect(await rows.count()).toBe(1 + 25)
      await trades.getByRole('button', { name: 'Show more' }).waitFor()

      await page.getByRole('button', { name: 'Candles' }).press('Enter')
      await page.getByText(/^Volume [\d.]+ .*in 25 trades\. In hollow candles the price rose/).waitFor()
      await page.getByText('Show as table').press('Enter')
      await page.getByRole('columnheader', { name: 'Close' }).waitFor()

      const share = page.getByRole('button', { name: 'Share' })
      const shareFailsWith = (name: string) =>
        page.evaluate(`navigator.share = () => Promise.reject(new DOMException('', '${name}'))`)
      await page.evaluate(`globalThis.copied = []
        navigator.clipboard.writeText = async text => copied.push(text)`)
      await shareFailsWith('AbortError')
      await share.click()
      await shareFailsWith('NotAllowedError')
      await share.click()
      await eventually(() => page.evaluate('copied')).toEqual([
        expect.stringContaining(`/launches/${address}`),
      ])
      expect(await findProblems({ page, complaints })).toEqual([])

      // What a wallet did is known, though the chain can't be read here.
      await wallet.click()
      const history = page.getByRole('region', { name: 'History' })
      await history.getByText('Some of what this wallet did may be missing.').waitFor()
      const done = history.getByRole('row')
      expect(await done.count()).toBe(1 + 20)
      expect(await done.nth(1).textContent()).toMatch(/Deposited/)
      expect(await done.nth(2).textContent()).toMatch(/Sold/)
      const launch = done.nth(1).getByRole('link', { name: 'traded' })
      expect(await launch.getAttribute('href')).toBe(`/launches/${address}`)
      await history.getByRole('button', { name: 'Show more' }).click()
      await eventually(() => done.count()).toBe(1 + 26)
    },
    TEST_MS,
  )

  test(
    'a single candle stands at its time, an empty chart says why, and a presale has candles once it trades',
    async () => {
      const { url, database } = await startSite()
      const launches = {
        once: { mechanic: 'bondingCurveV2' },
        never: { mechanic: 'bondingCurveV2' },
        open: { mechanic: 'presaleV2' },
        over: { mechanic: 'presaleV2', graduatedAt: hourAgo },
      } as const
      for (const [name, fields] of Object.entries(launches)) await insertTradedLaunch(database, name, fields)
      const time = Math.floor(Date.now() / 1_000) - 600
      await saveTrades(database, 'chain-mainnet', addressOf('launch once'), [tradeOf('only', { time })])
      const opened = await openPage('about:blank')
      const { page } = opened
      const candles = page.getByRole('button', { name: 'Candles' })
      await visit(page, url + pageOf('once'))
      await candles.click()
      await page.getByText('in 1 trade.').waitFor()
      // For a single point, the library would show a whole day around it.
      await eventually(() => page.evaluate<number>(DRAWN_AT)).toBeGreaterThan(0.85)
      expect(await findProblems(opened)).toEqual([])

      await visit(page, url + pageOf('never'))
      await page.getByRole('heading', { name: 'Reading the launch' }).waitFor()
      await candles.click()
      await page.getByRole('heading', { name: 'No trades in this period' }).waitFor()
      await page.getByText('Choose a longer period, or switch to Price.').waitFor()
      await page.getByRole('button', { name: 'All', exact: true }).click()
      await page.getByText('The first candle appears with the first trade.').waitFor()

      await visit(page, url + pageOf('open'))
      await page.getByRole('heading', { name: 'Reading the launch' }).waitFor()
      expect(await candles.count()).toBe(0)
      await visit(page, url + pageOf('over'))
      await candles.click()
      await page.getByRole('heading', { name: 'No trades in this period' }).waitFor()
    },
    TEST_MS,
  )

  test(
    'on a computer without a network, a page of a service that answers is not called offline',
    async () => {
      const { url } = await startSite({ launches: [] })
      const { page } = await openPage('about:blank')
      await page.addInitScript(`Object.defineProperty(navigator, 'onLine', { value: false })`)
      await page.goto(url)
      await page.waitForResponse(/\/healthz$/)
      await page.getByText('You are offline.').waitFor({ state: 'hidden' })
    },
    TEST_MS,
  )

  test(
    'without the API, a page keeps what it shows and says so; over the limit, people get a page',
    async () => {
      const { url } = await startSite({
        launches: LAUNCHES,
        config: { rateLimits: { reads: 120, writes: 60, chainReads: 0, checks: 0 } },
      })
      // Over the limit, styles come from the cache.
      const limited = await openPage(url, { ...DESKTOP, caches: true })
      const { page, complaints } = await openPage('about:blank', DESKTOP)
      await page.route('**/v1/**', route => route.abort())
      await page.goto(url)
      const before = await page.locator('h1').boundingBox()
      await page.getByText(/^Not updating since \d\d:\d\d\. The service is not answering\.$/).waitFor()
      expect(await page.locator('h1').boundingBox()).toEqual(before)
      expect(await page.getByRole('link', { name: /Tidewater/ }).count()).toBeGreaterThan(0)
      await page
        .getByRole('link', { name: /Glasshouse/ })
        .first()
        .click()
      await page.getByRole('heading', { name: 'The service is not answering' }).waitFor()
      await page.route('**/v1/**', route => route.fulfill({ status: 429, json: { error: { message: '' } } }))
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText(/Trying again in \d+ s/).waitFor()
      await page.unroute('**/v1/**')
      // Once its stream of events is back, the page tries again by itself.
      const again = page.getByRole('button', { name: 'Try again' })
      await again.click({ timeout: 5_000 }).catch(() => {})
      await page.getByRole('heading', { name: /Glasshouse/ }).waitFor()
      expect(complaints).toEqual([])

      // A new minute may begin at any time.
      await eventually(async () => {
        for (let status = 200; status !== 429; ) ({ status } = await rawRequest(url, '/v1/launches'))
        const answer = await limited.page.goto(url)
        return [answer?.status(), answer?.headers()['retry-after']]
      }).toEqual([429, expect.stringMatching(/^\d+$/)])
      await limited.page.getByRole('heading', { name: 'Too many requests' }).waitFor()
      expect(limited.complaints).toEqual([])
    },
    TEST_MS,
  )
})
