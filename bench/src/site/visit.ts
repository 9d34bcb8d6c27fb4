import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  existsSync,
)
/** For a machine that does much else. */
const WAIT_MS = 120_000
const SETTLED_MS = 2_000
const TYPED = 'trading bo'
const KEY_MS = 100

export interface Visit {
  requests: number
  kilobytes: number
  htmlKilobytes: number
  scriptKilobytes: number
  heapMegabytes: number
  nodes: number
  readableMs: number
  usableMs: number
}

export async function openBrowser(): Promise<Browser> {
  if (!CHROMIUM) throw new Error('this needs Chromium')
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
}

export const DESKTOP = { viewport: { width: 1_280, height: 900 } } satisfies BrowserContextOptions
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } satisfies BrowserContextOptions

/** A phone with a quarter of this machine's speed, and 50 kB a second. */
async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const throughput = 50_000
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
}

/** Opens the directory in a new profile: what it loads, when it can be read and used, and what the tab then holds. */
export async function visitDirectory(
  browser: Browser,
  url: string,
  { isSlow = false, ...options }: BrowserContextOptions & { isSlow?: boolean },
): Promise<{ visit: Visit; page: Page; session: CDPSession }> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  if (isSlow) await slowDown(session)
  const types = new Map<string, string>()
  const bytes = { Document: 0, Script: 0, all: 0 } as Record<string, number>
  session.on('Network.requestWillBeSent', ({ requestId, type }) => types.set(requestId, type ?? ''))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? ''
    bytes[type] = (bytes[type] ?? 0) + encodedDataLength
    bytes.all = (bytes.all ?? 0) + encodedDataLength
  })
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('html[data-ready=yes]').waitFor({ state: 'attached' })
  const usableMs = await page.evaluate('performance.now()')
  const readableMs = await page.evaluate(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`,
  )
  await page.waitForTimeout(SETTLED_MS)
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const { JSHeapUsedSize = 0, Nodes = 0 } = await readMetrics(session)
  const visit = {
    requests: types.size,
    kilobytes: (bytes.all ?? 0) / 1_000,
    htmlKilobytes: (bytes.Document ?? 0) / 1_000,
    scriptKilobytes: (bytes.Script ?? 0) / 1_000,
    heapMegabytes: JSHeapUsedSize / 1e6,
    nodes: Nodes,
    readableMs: Number(readableMs),
    usableMs: Number(usableMs),
  }
  return { visit, page, session }
}

async function readMetrics(session: CDPSession): Promise<Record<string, number>> {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

/** Types ten characters into the search: what they cost the tab, and when the matches of all of them are shown. */
export async function typeIntoSearch(page: Page, session: CDPSession) {
  await page.keyboard.press('/')
  const field = page.getByRole('combobox')
  await field.waitFor()
  const before = (await readMetrics(session)).TaskDuration ?? Number.NaN
  const startMs = performance.now()
  await field.pressSequentially(TYPED, { delay: KEY_MS })
  const typedMs = performance.now()
  await page.locator('[role=listbox][aria-busy=false] [role=option]').first().waitFor()
  const shownMs = performance.now()
  const after = (await readMetrics(session)).TaskDuration ?? Number.NaN
  return { typingMs: typedMs - startMs, waitingMs: shownMs - typedMs, tabMs: 1_000 * (after - before) }
}
