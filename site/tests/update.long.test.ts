// @module-tag timing
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SiteBuild } from '../../service/src/http/site/site-build.ts'
import { agentRow, saveTestAgent } from '../../service/src/testing/agent-rows.ts'
import { isEndurance } from '../../service/src/testing/endurance.ts'
import { addressOf, launchRows } from '../../service/src/testing/launch-rows.ts'
import { createTestConnection, MIGRATED } from '../../service/src/testing/test-database.ts'
import { openTestService } from '../../service/src/testing/test-service.ts'
import { CHROMIUM, eventually, openPage, TEST_MS, visit } from './site-browser.ts'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))
/** Less than it takes to notice that the service is silent. */
const OFFLINE_MS_MAX = 15_000
const ADDRESS = addressOf('launch Tidewater')
const AGENT = agentRow('Tidewatch')

interface Need {
  path: string
  /**
   * What someone does on the page to need the part. Absent: the page needs it by itself, some time after it is shown.
   */
  act?(page: Page): Promise<void>
}

/**
 * One page of each kind, and one part for each way to load and to need one. All of them load in the same way, which is
 * tested below, so only an endurance run tries every one.
 */
const TRIED = [
  '/',
  '/launches/:address',
  '/rewards',
  'links-dialog',
  'search-dialog',
  'take-part-form',
  'mint-form',
]
const isTried = (name: string) => isEndurance || TRIED.includes(name)
const click = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()

/**
 * Every part that a page loads later. Those with `stored` need a wallet, figures or hundreds of launches; that nodes
 * still serve them is tested with all the others.
 */
const PARTS: Record<string, 'page' | 'stored' | Need> = {
  'directory-page': 'page',
  'new-launch-page': 'page',
  'launch-page': 'page',
  'agents-page': 'page',
  'new-agent-page': 'page',
  'agent-page': 'page',
  'rewards-page': 'page',
  'wallet-page': 'page',
  'status-page': 'page',
  'wallet-parts': { path: '/status', act: click('Connect a wallet') },
  'links-dialog': { path: `/launches/${ADDRESS}`, act: click('Correct its links') },
  'card-dialog': { path: `/agents/${AGENT.address}`, act: click('Change its card') },
  'take-part-form': { path: `/launches/${ADDRESS}` },
  'market-panels': { path: `/launches/${ADDRESS}` },
  'new-launch': { path: '/launches/new' },
  'mint-form': { path: '/agents/new' },
  'read-terms': 'stored',
  'read-pool': 'stored',
  'action-sheet': 'stored',
  'demo-wallet': 'stored',
  'build-claim': 'stored',
  'check-signature': 'stored',
  plot: 'stored',
  'candle-chart': 'stored',
  'search-dialog': { path: '/status', act: page => page.keyboard.press('/') },
  'virtual-rows': 'stored',
}

/** The same build under other names, as if something had changed in every script. */
function rename(build: SiteBuild): SiteBuild {
  const names = [...build.files.keys()].filter(name => name.endsWith('.js'))
  const renamed = (text: string) =>
    names.reduce(
      (done, name, at) =>
        done.replaceAll(name, name.replace(/.{8}\.js$/, `upgr${`${at}`.padStart(4, '0')}.js`)),
      text,
    )
  const files = [...build.files].map(([name, { gzip: _, br: __, ...file }]) => [
    renamed(name),
    name.endsWith('.js') ? { ...file, identity: Buffer.from(renamed(file.identity.toString())) } : file,
  ])
  return {
    ...build,
    files: new Map(files as never),
    manifest: JSON.parse(renamed(JSON.stringify(build.manifest))),
  }
}

describe.skipIf(!CHROMIUM)('an update under an open tab', () => {
  const cleanups: (() => unknown)[] = []
  let build: SiteBuild
  let url = ''
  let target = 0
  const ports = { before: 0, after: 0, withStore: 0 }

  beforeAll(async () => {
    const openStore = () => createTestConnection(drop => void cleanups.push(drop), MIGRATED)
    const [stored, empty] = [await openStore(), await openStore()]
    const start = async (connection: typeof stored, changeBuild?: (built: SiteBuild) => SiteBuild) => {
      const service = await openTestService({
        site: true,
        connection,
        launches: connection === stored && changeBuild === rename ? [] : [launchRows('Tidewater')],
        config: {
          publicUrl: 'http://localhost',
          rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': ['http://127.0.0.1:9'] },
        },
        ...(changeBuild && { changeBuild }),
      })
      cleanups.unshift(service.stop)
      await saveTestAgent(service.database, AGENT.name)
      return Number(new URL(service.url).port)
    }
    ports.before = await start(stored, built => {
      build = built
      return built
    })
    ports.withStore = await start(stored, rename)
    ports.after = await start(empty, rename)
    target = ports.before
    const sockets = new Set<Socket>()
    const proxy = createServer(socket => {
      const upstream = connect(target, '127.0.0.1')
      for (const end of [socket, upstream]) {
        sockets.add(end)
        end.on('error', () => {})
        end.on('close', () => void [socket, upstream].map(one => one.destroy()))
      }
      socket.pipe(upstream).pipe(socket)
    }).listen(0, '127.0.0.1')
    cleanups.unshift(() => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    })
    deploy = port => {
      target = port
      for (const socket of sockets) socket.destroy()
    }
    if (!proxy.listening) await new Promise(resolve => proxy.once('listening', resolve))
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  }, TEST_MS)
  afterAll(async () => {
    for (const cleanup of cleanups) await cleanup()
  })

  /** From now on, every connection leads to another node. */
  let deploy = (_port: number) => {}

  async function openBefore(path: string, opened?: Page) {
    const page = opened ?? (await openPage('about:blank')).page
    await forgetReloads(page)
    deploy(ports.before)
    await visit(page, url + path)
    // It has no files of other pages.
    const session = await page.context().newCDPSession(page)
    await session.send('Network.clearBrowserCache')
    await session.detach()
    return page
  }

  /** A tab reloads itself once for each build. Here, no page is there that could do so. */
  async function forgetReloads(page: Page) {
    await page.goto(`${url}/healthz`)
    await page.evaluate('sessionStorage.clear()')
  }

  const nameOf = (source: string) => /([\w-]+)\.tsx?$/.exec(source)?.[1] ?? source
  const isUpgraded = (page: Page) => page.locator('script[src*=upgr]').first()

  test('every part of the build is listed here', () => {
    expect(Object.keys(build.manifest.parts).map(nameOf).sort()).toEqual(Object.keys(PARTS).sort())
  })

  test('every part is loaded in a way that notices an update', () => {
    const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(name =>
      /\.tsx?$/.test(name),
    )
    const imports = sources.flatMap(name =>
      readFileSync(join(SOURCES, name), 'utf8')
        .split('\n')
        .filter(line => line.includes('import(')),
    )
    expect(imports.length).toBeGreaterThanOrEqual(Object.keys(PARTS).length)
    const isNoticed =
      /= (?:create|lazy)Part\(\(\) => import\(|pageAt\('[^']+', async \(\) => \(await import\(/
    expect(imports.filter(line => !isNoticed.test(line))).toEqual([])
  })

  test('no page loads more than 100 kB of script before it can be used', () => {
    const { script, themeScript, pages } = build.manifest
    const sizeOf = (names: readonly string[]) =>
      names.reduce((bytes, name) => bytes + (build.files.get(name)?.gzip?.length ?? Infinity), 0)
    for (const [path, scripts] of Object.entries(pages))
      expect([path, sizeOf([script, themeScript, ...(scripts ?? [])]) <= 100_000]).toEqual([path, true])
  })

  test('a node with the new build serves every file of the previous one', async () => {
    // The earlier node stores them while it serves already.
    await eventually(async () => {
      const missing: string[] = []
      for (const [name, { identity }] of build.files) {
        const response = await fetch(`http://127.0.0.1:${ports.withStore}/assets/${name}`)
        if (!Buffer.from(await response.arrayBuffer()).equals(identity)) missing.push(name)
      }
      return missing
    }).toEqual([])
    const other = Object.values(build.manifest.parts)[0]
    expect((await fetch(`http://127.0.0.1:${ports.after}/assets/${other}`)).status).toBe(404)
  })

  test(
    'a page whose files are gone reloads once, and shows what was asked for',
    async () => {
      let page: Page | undefined
      for (const path of Object.keys(build.manifest.pages).filter(isTried)) {
        page = await openBefore(path === '/' ? '/status' : '/', page)
        deploy(ports.after)
        const wanted = path.replace(/:\w+/, path.startsWith('/agents') ? AGENT.address : ADDRESS)
        await page.evaluate(`history.pushState(null, '', ${JSON.stringify(wanted)})`)
        await isUpgraded(page).waitFor({ state: 'attached' })
        expect(new URL(page.url()).pathname).toBe(wanted)
        await page.getByRole('heading', { level: 1 }).first().waitFor()
      }
    },
    TEST_MS,
  )

  test(
    'a part of a page whose file is gone reloads the page if nothing is typed',
    async () => {
      const page = await openBefore('/status')
      for (const [name, need] of Object.entries(PARTS)) {
        if (typeof need === 'string' || !isTried(name)) continue
        if (need.act) {
          await openBefore(need.path, page)
          deploy(ports.after)
          await need.act(page)
        } else {
          await forgetReloads(page)
          deploy(ports.before)
          await page.route(new RegExp(`/assets/${name}-.{8}\\.js$`), route => {
            deploy(ports.after)
            return route.fulfill({ status: 404 })
          })
          await page.goto(url + need.path)
        }
        await isUpgraded(page).waitFor({ state: 'attached' })
        await page.unrouteAll()
        await page.getByRole('heading', { level: 1 }).first().waitFor()
      }
    },
    TEST_MS,
  )

  test(
    'with something typed, it says that a new version is ready, and what was typed survives the reload',
    async () => {
      const page = await openBefore('/launches/new')
      const name = page.getByRole('textbox', { name: 'Name', exact: true })
      await name.fill('Glasshouse')
      deploy(ports.after)
      await page.getByRole('banner').getByRole('button', { name: 'Connect a wallet' }).click()
      await page.getByRole('heading', { name: 'A new version is ready' }).waitFor()
      expect(await isUpgraded(page).count()).toBe(0)
      await page.getByRole('button', { name: 'Reload' }).click()
      await isUpgraded(page).waitFor({ state: 'attached' })
      await eventually(() => name.inputValue()).toBe('Glasshouse')
    },
    TEST_MS,
  )

  test(
    'offline, a page says so and goes on when it is back, and a part that could not be loaded is tried again',
    async () => {
      const page = await openBefore('/')
      await page.context().setOffline(true)
      await page.getByText('You are offline.').waitFor({ timeout: OFFLINE_MS_MAX })
      await page.getByRole('link', { name: 'Agents' }).click()
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
      await page.getByRole('banner').getByRole('link', { name: 'Slipway' }).click()
      await page.getByRole('heading', { name: 'Launches', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Agents' }).click()
      await page.context().setOffline(false)
      await page.getByText('You are offline.').waitFor({ state: 'hidden' })
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    },
    TEST_MS,
  )
})
