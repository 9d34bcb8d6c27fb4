import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { connectAs, useDemoSite } from './demo-site.ts'
import { CHROMIUM, eventually, hold, isInteractive, openPage, TEST_MS } from './site-browser.ts'

describe.skipIf(!CHROMIUM)('parts that a page loads later', () => {
  const site = useDemoSite()
  const fail = (page: Page, part: string) =>
    page.route(new RegExp(`/assets/${part}-.{8}\\.js$`), route => route.abort())
  /** A key that is pressed in the moment in which a page becomes interactive may be lost. A second one loads a part again. */
  const openSearch = (page: Page) =>
    eventually(async () => {
      await page.keyboard.press('/')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor({ timeout: 10_000 }).catch(() => {})
      return dialog.count()
    }).toBe(1)
  const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).click()

  test(
    'say where they are needed that they could not be loaded, and are there when they are tried again',
    async () => {
      const agent = site.world.agent('tidewatch')
      const { page } = await site.open(`/agents/${agent.address}`)
      await fail(page, 'demo-wallet')
      await page.getByRole('banner').getByRole('button', { name: 'Connect a wallet' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('A part of this page could not be loaded.').waitFor()
      await page.unrouteAll()
      await tryAgain(page)
      await dialog.getByRole('button', { name: 'Demo wallet' }).waitFor()
      await page.keyboard.press('Escape')
      await connectAs(page, `Owner of ${agent.entry.name}`)

      await fail(page, 'action-sheet')
      await page.getByRole('textbox', { name: 'Amount' }).fill('0.01')
      await page.getByRole('button', { name: 'Review funding' }).click()
      await dialog.getByRole('heading', { name: 'This part could not be loaded' }).waitFor()
      await page.unrouteAll()
      await tryAgain(page)
      await dialog.getByText('Passed a simulation').waitFor()
    },
    TEST_MS,
  )

  test(
    'are said to be loading, and after a second failure only a reload is offered, because some browsers remember the first',
    async () => {
      const { page } = await site.open('/status')
      await fail(page, 'search-dialog')
      await openSearch(page)
      // After an outage, which a busy machine may seem to be, the page has tried again by itself.
      const again = page.getByRole('button', { name: 'Try again' })
      const reload = page.getByRole('button', { name: 'Reload' })
      await again.or(reload).waitFor()
      if (await again.isVisible()) await again.click()
      await reload.waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      await page.unrouteAll()
      // The page that is left is interactive too, and has a dialog.
      const isReloaded = page.waitForEvent('domcontentloaded')
      await page.getByRole('button', { name: 'Reload' }).click()
      await isReloaded
      await isInteractive(page)

      const release = await hold(page, /\/assets\/search-dialog-/)
      await openSearch(page)
      await page.getByText('Loading the search…').waitFor()
      release()
      await page.getByRole('combobox').waitFor()
    },
    TEST_MS,
  )

  test(
    'what is typed into the search of agents before the script is there stays, and is searched for',
    async () => {
      const { page } = await openPage('about:blank')
      // The other script decides about the theme before anything is drawn.
      const release = await hold(page, /\/assets\/(?!theme).*\.js$/)
      await page.goto(`${site.service.url}/agents`, { waitUntil: 'commit' })
      const field = page.getByRole('searchbox', { name: /agents/ })
      await field.fill('tide')
      release()
      await eventually(() => new URL(page.url()).search).toBe('?q=tide')
      expect(await field.inputValue()).toBe('tide')
      await page.getByText(/match(es)? for/).waitFor()
    },
    TEST_MS,
  )
})
