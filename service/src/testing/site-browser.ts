import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

export const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)

export const DESKTOP = { viewport: { width: 1280, height: 900 } } satisfies BrowserContextOptions
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } satisfies BrowserContextOptions

/** A browser that its tests share. The file that uses it must close it. */
export function createSiteBrowser() {
  let browser: Promise<Browser> | undefined

  /** Opens a page that is closed with the test. `complaints` collects errors, policy violations and dialogs. */
  async function open(url: string, options: BrowserContextOptions = DESKTOP) {
    browser ??= chromium.launch({
      executablePath: CHROMIUM as string,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
    })
    const context = await (await browser).newContext(options)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', message => {
      // A picture that cannot be loaded is no fault of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text())
    })
    page.on('pageerror', error => complaints.push(error.message))
    page.on('dialog', dialog => {
      complaints.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.goto(url)
    return { page, complaints }
  }

  return { open, close: async () => (await browser)?.close() }
}

/** The page is interactive: React has taken over. */
export async function isInteractive(page: Page): Promise<void> {
  await page.locator('html[data-ready=yes]').waitFor({ state: 'attached' })
}
