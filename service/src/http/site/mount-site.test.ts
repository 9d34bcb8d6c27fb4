import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addressOf, launchRows, MINUTE_MS } from '../../testing/launch-rows.ts'
import { rawRequest } from '../../testing/raw-request.ts'
import { CHAIN_ENDS, startTestService, useTestService } from '../../testing/test-service.ts'

/** The first test that needs the pages builds them. */
const BUILD_MS = 240_000
const HTML = { accept: 'text/html,application/xhtml+xml' }
const SECRET = 'rpc-secret-key'
const pageOf = (name: string) => `/launches/${addressOf(`launch ${name}`)}`

const TIDEWATER = launchRows(
  'Tidewater',
  { spotlight: true },
  { symbol: 'TIDE', description: 'Forecasts for harbours.', image: 'https://images.example/tide.png' },
)
/** Another launch of a token that somebody else has made. */
const AGAIN = launchRows('again', { createdToken: false, website: 'https://again.example' })
const FILLERS = Array.from({ length: 60 }, (_, at) =>
  launchRows(`filler ${at}`, { lastActivityAt: new Date(Date.now() - (at + 5) * MINUTE_MS) }),
)

const MARKUP = '</script><script>alert(1)</script><img src=x onerror=alert(2)>'
const HOSTILE = launchRows(
  'hostile',
  { website: 'javascript:alert(3)', socials: { x: 'data:text/html,x' } },
  {
    name: MARKUP,
    symbol: '"><i>',
    description: MARKUP,
    image: 'data:image/svg+xml,<svg onload=alert(4)>',
  },
)

const siteOptions = (launches: ReturnType<typeof launchRows>[], publicUrl = 'https://slipway.example') => ({
  site: true,
  launches,
  limits: CHAIN_ENDS,
  config: {
    publicUrl,
    rpcUrls: { 'chain-mainnet': [`http://127.0.0.1:9/${SECRET}`], 'chain-devnet': ['http://127.0.0.1:9/'] },
    publicRpcUrls: { 'chain-mainnet': 'https://public-rpc.example/key', 'chain-devnet': undefined },
  },
})

const getFrom = (url: string, path: string, headers: Record<string, string> = HTML) =>
  rawRequest(url, path, { headers })

/** For tests that change something. */
async function startSite(...options: Parameters<typeof siteOptions>) {
  const service = await startTestService(siteOptions(...options))
  return { ...service, get: getFrom.bind(undefined, service.url) }
}

const shared = useTestService(() =>
  siteOptions([TIDEWATER, HOSTILE, launchRows('abroad', { network: 'chain-devnet' }), AGAIN, ...FILLERS]),
)
const get = (...request: [path: string, headers?: Record<string, string>]) =>
  getFrom(shared().url, ...request)

/** Which of the texts or patterns a page contains. Whole pages would make a failure unreadable. */
const found = (text: string, wanted: readonly (string | RegExp)[]) =>
  wanted.filter(part => (typeof part === 'string' ? text.includes(part) : part.test(text)))

test(
  'the directory and a launch page are complete without script, have data for link previews, and do not reveal the RPC',
  async () => {
    const directory = await get('/')
    expect([directory.status, directory.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const parts = ['<title>Launches · Slipway</title>', `href="${pageOf('Tidewater')}"`]
    expect(found(directory.text, parts)).toEqual(parts)
    const next = /href="(\/\?cursor=[\w.-]+)"/.exec(directory.text)?.[1] ?? ''
    expect(found((await get(next)).text, ['filler 2<', 'filler 55<'])).toEqual(['filler 55<'])
    // A cursor that someone has changed leads to the first launches.
    expect(found((await get(`${next}x`)).text, ['filler 2<', 'filler 55<'])).toEqual(['filler 2<'])
    expect(found((await get('/?q=tide')).text, ['Tidewater<', 'filler'])).toEqual(['Tidewater<'])
    expect(found((await get('/?network=chain-devnet')).text, ['abroad<', 'filler'])).toEqual(['abroad<'])

    const launch = await get(pageOf('Tidewater'))
    const tags = [
      '<title>Tidewater (TIDE) · Slipway</title>',
      '<meta property="og:title" content="Tidewater (TIDE) · Slipway">',
      '<meta property="og:description" content="Live. Forecasts for harbours.">',
      '<meta property="og:image" content="https://images.example/tide.png">',
      `<link rel="canonical" href="https://slipway.example${pageOf('Tidewater')}">`,
      // Nothing has been recorded yet, and the page says why.
      'Reading the launch',
      /<img src="https:\/\/images\.example\/tide\.png" alt(?:="")? width="88" height="88" loading="lazy"[^>]* referrerpolicy="no-referrer"/i,
    ]
    expect(found(launch.text, tags)).toEqual(tags)
    const abroad = await get(pageOf('abroad'))
    expect(found(abroad.text, [`${pageOf('abroad')}?network=chain-devnet">`])).toHaveLength(1)

    const policy = directory.headers['content-security-policy'] as string
    expect(policy).toContain("script-src 'self'; style-src 'self'; font-src 'self'")
    expect(policy).toContain("connect-src 'self' https://public-rpc.example wss://public-rpc.example;")
    expect(policy).not.toContain('unsafe')
    for (const { text, headers } of [directory, launch, abroad])
      expect(found(text + JSON.stringify(headers), [SECRET, '127.0.0.1:9'])).toEqual([])
  },
  BUILD_MS,
)

test(
  'the page of a launch says if the token existed before it, and its maker’s own does not',
  async () => {
    const notice = 'Not by the maker of this token'
    expect(found((await get(pageOf('again'))).text, [notice])).toEqual([notice])
    expect(found((await get(pageOf('Tidewater'))).text, [notice])).toEqual([])
  },
  BUILD_MS,
)

test(
  'an unchanged page is not sent again, and its files are compressed and cached forever',
  async () => {
    // A page changes when its minute ends.
    await expect
      .poll(async () => {
        const page = await get('/', { ...HTML, 'accept-encoding': 'gzip' })
        expect(page.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
        const again = await get('/?utm_source=x', {
          ...HTML,
          'accept-encoding': 'gzip',
          'if-none-match': page.headers.etag as string,
        })
        return [again.status, again.text]
      })
      .toEqual([304, ''])

    const { text } = await get('/')
    const scripts = [...text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes)
    expect(scripts).toHaveLength(3)
    for (const attributes of scripts)
      expect(attributes).toMatch(
        /src="\/assets\/[\w-]+\.js"(?: fetchpriority="low")?$|^ type="application\/json" id="state"$/,
      )
    expect(found(text, [/<[^>]*\s(?:style|on\w+)=/])).toEqual([])

    const script = /src="(\/assets\/site-[\w-]+\.js)"/.exec(text)?.[1] as string
    const file = await get(script, { 'accept-encoding': 'br' })
    expect(file.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await get('/assets/site-00000000.js')).status).toBe(404)

    const preview = /og:image" content="https:\/\/slipway\.example(\/assets\/preview-[\w-]+\.png)"/.exec(
      text,
    )?.[1] as string
    const picture = await get(preview)
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(Number(picture.headers['content-length'])).toBeLessThan(100_000)
  },
  BUILD_MS,
)

test(
  'behind a proxy that removes the path of PUBLIC_URL, everything that a page refers to is below that path',
  async () => {
    const { get } = await startSite([TIDEWATER], 'https://slipway.example/base')
    const { status, text } = await get(pageOf('Tidewater'))
    const parts = [
      '<title>Tidewater (TIDE) · Slipway</title>',
      `<link rel="canonical" href="https://slipway.example/base${pageOf('Tidewater')}">`,
      'href="/base/agents"',
      `href="/base/v1${pageOf('Tidewater')}"`,
      '<form action="/base/">',
    ]
    expect([status, found(text, parts)]).toEqual([200, parts])
    const references = [...text.matchAll(/ (?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path)
    expect(references.filter(path => !path?.startsWith('/base/'))).toEqual([])
    expect(found((await get('/nowhere')).text, ['No page here', 'href="/base/"'])).toHaveLength(2)
  },
  BUILD_MS,
)

test(
  'strangers’ content is shown as text, and only web addresses become links and pictures',
  async () => {
    for (const path of ['/', pageOf('hostile')]) {
      const { status, text } = await get(path)
      expect([status, found(text, ['&lt;img src=x onerror=alert(2)'])]).toEqual([200, [expect.anything()]])
      const dangers = [
        /<script>/,
        /<img src=x/,
        /<i>/,
        /href="(?:javascript|data):/,
        /<img[^>]*svg/,
        /og:image" content="(?!https:\/\/slipway\.example\/assets\/preview-)/,
      ]
      expect(found(text, dangers)).toEqual([])
      const state = /<script type="application\/json" id="state">(.*?)<\/script>/s.exec(text)?.[1] ?? ''
      expect(state.includes('<')).toBe(false)
      expect(found(JSON.stringify(JSON.parse(state)), ['</script>'])).toHaveLength(1)
    }
  },
  BUILD_MS,
)

test(
  'a 404 is a page for people and JSON for programs, and a hidden launch is gone within seconds',
  async () => {
    const { get, database } = await startSite([TIDEWATER])
    for (const [path, words] of [
      ['/launches/unknown', 'No launch at this address'],
      [pageOf('missing'), 'No launch at this address'],
      ['/nowhere', 'No page here'],
      ['/launches/', 'No page here'],
    ] as const) {
      const { status, text, headers } = await get(path)
      expect([path, status, found(text, [words])]).toEqual([path, 404, [words]])
      expect(headers['slipway-error']).toBe('NOT_FOUND')
    }
    for (const [path, headers] of [
      ['/nowhere', {}],
      ['/v1/nowhere', HTML],
      ['/.well-known/nowhere', HTML],
    ] as const)
      expect((await get(path, headers)).json()).toMatchObject({ error: { message: 'Not found' } })

    expect((await get(pageOf('Tidewater'))).status).toBe(200)
    await database.run('test', db => db.execute(sql`UPDATE launches SET hidden = true`))
    await expect
      .poll(async () => (await get(pageOf('Tidewater'))).status, { timeout: 60_000, interval: 50 })
      .toBe(404)
  },
  BUILD_MS,
)

test(
  'a page that could not load its data says when to try again',
  async () => {
    const { status, text, headers } = await get(`/agents/${addressOf('an agent')}`)
    expect([status, found(text, ['Not available right now'])]).toEqual([503, ['Not available right now']])
    expect(headers).toMatchObject({ 'retry-after': '2', 'slipway-error': 'SERVICE_UNAVAILABLE' })
  },
  BUILD_MS,
)

test(
  'parameters that a page does not read create no new page, and /readyz and the metrics show the rendering',
  async () => {
    const count = async () => {
      const { text } = await get('/metrics')
      return Number(
        /^slipway_page_render_duration_seconds_count\{outcome="ok"\} (\d+)$/m.exec(text)?.[1] ?? 0,
      )
    }
    const before = await count()
    const queries = Array.from({ length: 30 }, (_, at) => `/?filter=${at}&page=${at}`)
    const pages = await Promise.all(queries.map(query => get(query)))
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]))
    // On a busy machine, the page may have expired from the cache.
    expect((await count()) - before).toBeLessThan(10)
    expect(await count()).toBeGreaterThan(0)
    expect((await get('/readyz')).text).toMatch(
      /^site: ok, \d+ pages being rendered, \d+ waiting, 0 restarts$/m,
    )
  },
  BUILD_MS,
)

test(
  'a visitor whose pages use up the searches of one client does not make those of others fail',
  async () => {
    const options = siteOptions([])
    const { url } = await startTestService({
      ...options,
      config: { ...options.config, trustedProxies: ['loopback'] },
    })
    const open = (visitor: string, name: string) =>
      getFrom(url, `/rewards/${addressOf(name)}`, { ...HTML, 'x-forwarded-for': visitor })
    const searches = async () => {
      const { text } = await getFrom(url, '/metrics')
      const counts = text.matchAll(/^slipway_bucket_searches_total\{.*outcome="(\w+)"\} (\d+)$/gm)
      return Object.fromEntries([...counts].map(([, outcome, count]) => [outcome, Number(count)]))
    }
    let before = await searches()
    for (let at = 0; !before.limited; at += 1) {
      await open('192.0.2.1', `wallet ${at}`)
      before = await searches()
    }
    await open('198.51.100.1', 'another wallet')
    await expect.poll(searches).not.toEqual(before)
    expect(await searches()).toMatchObject({ limited: before.limited })
  },
  BUILD_MS,
)
