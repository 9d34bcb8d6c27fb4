import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

/** The headless shell draws no windows of its own, so a page takes 40 % less CPU time in it. */
export const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find(existsSync)

/** How long a busy machine may take for one step. */
const WAIT_MS = 60_000
/** For a whole test. */
export const TEST_MS = 300_000

export const DESKTOP = { viewport: { width: 1280, height: 900 } } satisfies BrowserContextOptions
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } satisfies BrowserContextOptions

/** One for all files of a worker, because starting it takes seconds. It ends with the worker, whose pipe it reads. */
let browser: Promise<Browser> | undefined

/** A new profile in the shared browser. It is closed with the test. */
export async function openContext(options: BrowserContextOptions = DESKTOP): Promise<BrowserContext> {
  browser ??= chromium.launch({
    executablePath: CHROMIUM as string,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
  // Without animations: a click waits until its target no longer moves.
  const context = await (await browser).newContext({ reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(WAIT_MS)
  onTestFinished(() => context.close())
  return context
}

/**
 * Opens a page that is closed with the test. `complaints` collects errors, policy violations and dialogs. A browser
 * that intercepts requests has no cache: `caches` is for a test that needs one.
 */
export async function openPage(
  url: string,
  {
    hurries = true,
    caches = false,
    ...options
  }: BrowserContextOptions & { hurries?: boolean; caches?: boolean } = DESKTOP,
) {
  const context = await openContext(options)
  // Chromium begins to intercept requests a moment after it says so. A route that is added to an open page would miss
  // some.
  if (!caches) await context.route('nothing:', route => route.continue())
  if (hurries) await context.addInitScript(HURRY)
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

/**
 * The pauses of a page between two questions are short in tests. Its time limits, which are longer, stay as they are.
 */
const HURRY = `for (const name of ['setTimeout', 'setInterval']) {
  const start = globalThis[name]
  globalThis[name] = (work, ms = 0, ...rest) => start(work, ms <= 2_000 ? ms / 5 : ms, ...rest)
}`

/** For what a page shows sooner or later, however busy the machine is. */
export const eventually = <Value>(read: () => Value | Promise<Value>) =>
  expect.poll(read, { timeout: WAIT_MS, interval: 50 })

/** Lets these requests wait until the function that it returns is called. */
export async function hold(page: Page, requests: RegExp): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(requests, route => released.then(() => route.continue()))
  return release
}

/** The page is interactive: React has taken over. */
export async function isInteractive(page: Page): Promise<void> {
  await page.locator('html[data-ready=yes]').waitFor({ state: 'attached' })
}

/** Goes to a page, and waits until it is interactive: what is clicked before that is lost. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await isInteractive(page)
}

export async function reload(page: Page): Promise<void> {
  await page.reload()
  await isInteractive(page)
}

/**
 * What is wrong with a page: errors and policy violations, what does not fit, and what axe calls serious. The page is
 * looked at on a desktop in the light theme, then on a phone in the dark one, where axe repeats only what depends on
 * either.
 */
export async function findProblems({ page, complaints }: { page: Page; complaints: string[] }) {
  // A colour in the middle of a transition is not one that anyone reads.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const problems = await findProblemsNow(page)
  await page.setViewportSize(PHONE.viewport)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  return [...complaints, ...problems, ...(await findProblemsNow(page, DEPENDS_ON_SIZE_OR_THEME))]
}

/** Checks the page as it is, without changing its size or theme. */
export async function findProblemsNow(page: Page, only?: readonly string[]) {
  // The policy forbids injected scripts, but not what the debugger evaluates.
  if (!(await page.evaluate('"axe" in globalThis')))
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const problems = await page.evaluate<string[]>(runAxe(only))
  const overflow = await page.evaluate<number>(OVERFLOW)
  return overflow === 0 ? problems : [...problems, overflow]
}

/** What is too small on a phone: controls that a finger misses, and fields that the phone zooms in on. */
export const findSmallControls = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, summary, input, select, textarea, nav a')].flatMap(element => {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest('.unseen')) return []
    const isTyped = element.matches('select, textarea, input:not([type=radio], [type=checkbox])')
    // A label that is a part of a line is lower than the field in it.
    const heights = [element, element.closest('label') ?? element].map(one => one.getBoundingClientRect().height)
    const problems = [
      Math.max(...heights) < 44 && 'low',
      isTyped && parseFloat(getComputedStyle(element).fontSize) < 16 && 'small text',
    ]
    return problems.filter(Boolean).map(problem => problem + ': ' + element.outerHTML.slice(0, 120))
  })`)

const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth'
const DEPENDS_ON_SIZE_OR_THEME = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
]

const runAxe = (only?: readonly string[]) =>
  `axe.run(${JSON.stringify({ resultTypes: ['violations'], ...(only && { runOnly: only }) })})
  .then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes[0]?.html.slice(0, 200)))`
