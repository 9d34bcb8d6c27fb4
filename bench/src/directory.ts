import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createService } from '@slipway/service/app/create-service'
import { describeSite } from '@slipway/service/boot/describe-site'
import { loadSite } from '@slipway/service/boot/load-site'
import { parseConfig } from '@slipway/service/config'
import { createShutdownList } from '@slipway/service/shutdown'
import type { ConnectionOptions, Database } from '@slipway/service/store/database'
import { createLog } from '@slipway/service/telemetry/log'
import { sql } from 'drizzle-orm'
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'
import { type Child, printTable, startChild, type Usage } from './lib.ts'
import { generateLaunches, withStore } from './sample-store.ts'
import { NO_FOLDER, RATE_LIMITS, SOCIAL_SETTINGS } from './samples.ts'

const STATEMENT_MS = 3_600_000
const SPOTLIGHT = 6
const VIEWS = 10
/** A rendered page is sent to everyone for two seconds. */
const PAGE_MS = 2_200

/** Measures a visit of the directory in a real browser, with stores of different sizes. */
export async function benchDirectory(sizes: string[]): Promise<void> {
  const rows: string[][] = []
  const phones: string[][] = []
  const browser = await openBrowser()
  for (const launches of sizes.length > 0 ? sizes.map(Number) : [50, 10_000, 100_000])
    await withStore(
      async (database, connection) => {
        await generateLaunches(database, launches)
        await pickSpotlight(database)
        const node = startChild()
        const url = `http://localhost:${await node.call<number>('serveSite', connection)}/`
        const cpu = await measureViews(node, database, url)
        const { visit, page, session } = await visitDirectory(browser, url, DESKTOP)
        const typing = await typeIntoSearch(page, session)
        await page.context().close()
        rows.push([
          launches.toLocaleString('en'),
          `${visit.kilobytes.toFixed(0)} kB`,
          `${visit.htmlKilobytes.toFixed(0)} kB`,
          `${visit.scriptKilobytes.toFixed(0)} kB`,
          `${visit.requests}`,
          `${cpu.serviceMs.toFixed(0)} ms`,
          `${cpu.storeMs.toFixed(0)} ms`,
          `${visit.heapMegabytes.toFixed(1)} MB`,
          `${visit.nodes}`,
          `${typing.typingMs.toFixed(0)} ms`,
          `${typing.waitingMs.toFixed(0)} ms`,
          `${typing.tabMs.toFixed(0)} ms`,
        ])
        const phone = await visitDirectory(browser, url, { ...PHONE, isSlow: true })
        await phone.page.context().close()
        phones.push([
          launches.toLocaleString('en'),
          `${phone.visit.kilobytes.toFixed(0)} kB`,
          `${(phone.visit.readableMs / 1_000).toFixed(1)} s`,
          `${(phone.visit.usableMs / 1_000).toFixed(1)} s`,
        ])
        node.stop()
      },
      { statementMs: STATEMENT_MS },
    )
  await browser.close()
  printTable(
    'A visit of the directory',
    [
      'launches',
      'loaded',
      'of that HTML',
      'scripts',
      'requests',
      "service's CPU per view, nothing cached",
      "store's CPU",
      'heap of the tab',
      'nodes',
      'ten characters into the search, 100 ms apart',
      'matches shown after the last',
      'CPU of the tab',
    ],
    rows,
  )
  printTable(
    'First visit on a phone: 4 times slower, 50 kB/s',
    ['launches', 'loaded', 'readable', 'usable'],
    phones,
  )
}

/** The same number in every store. Triggers keep the listing right. */
async function pickSpotlight(database: Database): Promise<void> {
  await database.run('bench.spotlight', db =>
    db.execute(sql`UPDATE launches SET spotlight = false WHERE spotlight`),
  )
  await database.run('bench.spotlight', db =>
    db.execute(sql`
      UPDATE launches SET spotlight = true
      WHERE id IN (SELECT id FROM launches ORDER BY registered_at DESC LIMIT ${SPOTLIGHT})`),
  )
}

/** The CPU time of one view when nothing is cached, without the idle work of the service. */
async function measureViews(node: Child, database: Database, url: string) {
  const read = async () => ({
    serviceMs: (await node.call<Usage>('usage', {})).cpuMicros / 1_000,
    storeMs: await readStoreMs(database),
  })
  const view = async () => (await fetch(url, { headers: { 'Accept-Encoding': 'br' } })).arrayBuffer()
  await view()
  // Compressing the listings for the first time takes a while.
  await sleep(20_000)
  const start = await read()
  for (let turn = 0; turn < VIEWS; turn += 1) await sleep(PAGE_MS)
  const idle = await read()
  for (let turn = 0; turn < VIEWS; turn += 1) {
    await view()
    await sleep(PAGE_MS)
  }
  const end = await read()
  const perView = (name: 'serviceMs' | 'storeMs') =>
    Math.max(0, (end[name] - idle[name] - (idle[name] - start[name])) / VIEWS)
  return { serviceMs: perView('serviceMs'), storeMs: perView('storeMs') }
}

const TICK_MS = 10

/** The CPU time of all processes of PostgreSQL so far. */
async function readStoreMs(database: Database): Promise<number> {
  const { rows } = await database.run('bench.pid', db =>
    db.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`),
  )
  const parent = readStat(rows[0]?.pid ?? 0)?.[1]
  const ticks = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => readStat(Number(name)))
    .filter(stat => stat?.[1] === parent)
    .map(stat => Number(stat?.[11]) + Number(stat?.[12]))
  return TICK_MS * ticks.reduce((sum, count) => sum + count, 0)
}

/** What Linux says of a process, after its name. */
function readStat(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')
  } catch {
    return undefined
  }
}

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  existsSync,
)
/** For a machine that does much else. */
const WAIT_MS = 120_000
const SETTLED_MS = 2_000
const TYPED = 'trading bo'
const KEY_MS = 100

interface Visit {
  requests: number
  kilobytes: number
  htmlKilobytes: number
  scriptKilobytes: number
  heapMegabytes: number
  nodes: number
  readableMs: number
  usableMs: number
}

async function openBrowser(): Promise<Browser> {
  if (!CHROMIUM) throw new Error('this needs Chromium')
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
}

const DESKTOP = { viewport: { width: 1_280, height: 900 } } satisfies BrowserContextOptions
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } satisfies BrowserContextOptions

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
async function visitDirectory(
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
async function typeIntoSearch(page: Page, session: CDPSession) {
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

const BUILD_MS_MAX = 300_000

/** A whole node with its pages, on a real database and without a chain. */
export async function serveSite(connection: ConnectionOptions): Promise<number> {
  const config = {
    ...parseConfig({ PUBLIC_URL: 'http://localhost' }),
    dataDir: NO_FOLDER,
    rateLimits: RATE_LIMITS,
    indexer: false,
    rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': ['http://127.0.0.1:9'] },
  }
  const log = createLog('info')
  const build = loadSite(log, AbortSignal.timeout(BUILD_MS_MAX))
  await build
  const { app, load } = createService(config, connection, {
    log,
    site: { build, ...describeSite(config, undefined) },
    shutdown: createShutdownList(() => {}),
    social: SOCIAL_SETTINGS,
  })
  await load()
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}
