import { sql } from 'drizzle-orm'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { saveBuckets } from '../../service/src/store/buckets.ts'
import type { Database } from '../../service/src/store/database.ts'
import { addressOf, launchRows, MINUTE_MS } from '../../service/src/testing/launch-rows.ts'
import { startTestService } from '../../service/src/testing/test-service.ts'
import { CHROMIUM, DESKTOP, eventually, isInteractive, openPage, TEST_MS } from './site-browser.ts'

const HOSTILE = '<img src=x onerror=alert(1)> \u202egnp.exe'
const hourAgo = new Date(Date.now() - 60 * MINUTE_MS)

const pageOf = (name: string) => `/launches/${addressOf(`launch ${name}`)}`

const startSite = (options: Parameters<typeof startTestService>[0] = {}) =>
  startTestService({
    site: true,
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

const namesOf = (page: Page) => page.locator('ul[class*=virtual] li [class*=name] bdi').allTextContents()

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test(
    'filters and the search are in the address, the keyboard reaches a launch, which opens at its top, and going back restores the list',
    async () => {
      const { url } = await startSite({ launches: LAUNCHES })
      const { page, complaints } = await openPage(url)
      await isInteractive(page)
      await eventually(() => namesOf(page)).toHaveLength(4)
      await page
        .getByRole('navigation', { name: 'Status' })
        .getByRole('link', { name: /^Upcoming/ })
        .click()
      await eventually(() => namesOf(page)).toEqual(['Glasshouse'])
      expect(new URL(page.url()).search).toBe('?status=upcoming')
      await page.getByRole('link', { name: /^All/ }).first().click()
      await page.getByRole('searchbox').fill('tide')
      await eventually(() => namesOf(page)).toEqual(['Tidewater'])
      expect(new URL(page.url()).search).toBe('?q=tide')
      await page.getByRole('searchbox').fill('nothing like it')
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
      await page.getByRole('link', { name: 'Look on Devnet' }).click()
      await page.getByRole('link', { name: 'Clear the search' }).click()
      await page.getByRole('heading', { name: 'No launches on Devnet yet' }).waitFor()

      await page.setViewportSize({ width: 1_280, height: 400 })
      await page.goto(url)
      await isInteractive(page)
      await eventually(() => namesOf(page)).toHaveLength(4)
      await page.evaluate('scrollTo(0, 250)')
      await page.getByRole('link', { name: /Orchard/ }).click()
      await eventually(() => page.evaluate('document.activeElement?.tagName')).toMatch(/^(H1|MAIN)$/)
      expect(await page.evaluate('scrollY')).toBe(0)
      await page.goBack()
      await eventually(() => namesOf(page)).toHaveLength(4)
      await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(200)

      await page.goto(url)
      await isInteractive(page)
      await eventually(() => namesOf(page)).toHaveLength(4)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await page.evaluate('document.activeElement?.id')).toBe('content')
      for (let presses = 0; presses < 30; presses += 1) {
        await page.keyboard.press('Tab')
        if (await page.evaluate("document.activeElement?.closest('li')?.ariaPosInSet")) break
      }
      await page.keyboard.press('Enter')
      await eventually(() => page.url()).toContain('/launches/')
      await page.goBack()
      await eventually(() => namesOf(page)).toHaveLength(4)
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
      // Rows keep their place in the document; what is shown depends on their position.
      const shown = () =>
        page
          .locator('ul[class*=virtual] li')
          .evaluateAll(items =>
            items
              .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
              .map(item => item.querySelector('bdi')?.textContent),
          )
      await eventually(shown).toEqual(['three', 'one', 'two'])

      await page.locator('ul[class*=virtual] li').first().hover()
      await move(database, 'two')
      await page.getByRole('button', { name: '1 launch moved' }).waitFor()
      expect(await shown()).toEqual(['three', 'one', 'two'])
      await page.mouse.move(5, 5)
      await eventually(shown).toEqual(['two', 'three', 'one'])
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
      await page.goto(url + pageOf('starting'))
      await isInteractive(page)
      await page.clock.pauseAt(startsAt.getTime() - 4_000)
      await page.clock.runFor(2_000)
      await page.getByText(/^Opens in \d s$/).waitFor()
      expect(await page.locator('h1 ~ p').getByText('Upcoming').count()).toBe(1)
      await page.clock.runFor(3_000)
      await page.locator('h1 ~ p').getByText('Live').waitFor()
      await page.clock.resume()
      await database.run('test', db => db.execute(sql`UPDATE launches SET hidden = true`))
      await page.getByRole('heading', { name: 'No longer listed' }).waitFor()
    },
    TEST_MS,
  )

  test(
    'without the API, a page keeps what it shows and says so; over the limit, people get a page',
    async () => {
      const { url } = await startSite({
        launches: LAUNCHES,
        config: { rateLimits: { reads: 60, writes: 60, chainReads: 0, checks: 0 } },
      })
      const { page, complaints } = await openPage('about:blank')
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
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: /Glasshouse/ }).waitFor()

      for (let requests = 0; requests < 60; requests += 1)
        await fetch(`${url}/v1/launches`).then(answer => answer.text())
      const answer = await page.goto(url)
      expect([answer?.status(), answer?.headers()['retry-after']]).toEqual([
        429,
        expect.stringMatching(/^\d+$/),
      ])
      await page.getByRole('heading', { name: 'Too many requests' }).waitFor()
      expect(complaints).toEqual([])
    },
    TEST_MS,
  )
})
