import { beforeAll, describe, expect, test } from 'vitest'
import { EXAMPLE_CARD } from '../../service/src/agents/examples.ts'
import { createSigningKeyText, parseSigningKey } from '../../service/src/lib/signing-key.ts'
import { saveAuthoredCard, setVerified } from '../../service/src/store/agents.ts'
import { setAgentHidden } from '../../service/src/store/curated-agents.ts'
import { useDemo } from '../../service/src/testing/demo.ts'
import { addressOf, launchRows, MINUTE_MS } from '../../service/src/testing/launch-rows.ts'
import { rawRequest } from '../../service/src/testing/raw-request.ts'
import { useTestService } from '../../service/src/testing/test-service.ts'
import type { PagePath } from '../src/server/protocol.ts'
import {
  CHROMIUM,
  DESKTOP,
  eventually,
  findProblems,
  findSmallControls,
  isInteractive,
  openPage,
  TEST_MS,
  visit,
} from './site-browser.ts'

const HTML = { accept: 'text/html' }

const HOSTILE = '<img src=x onerror=alert(1)> \u202egnp.exe'
const LONG = 'w'.repeat(300)
const HOSTILE_CARD = {
  ...EXAMPLE_CARD,
  name: HOSTILE,
  supportedInterfaces: [
    { url: 'javascript:alert(2)', protocolBinding: HOSTILE, protocolVersion: LONG },
    { url: `https://a.example/${LONG}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  provider: { organization: HOSTILE, url: 'javascript:alert(3)' },
  documentationUrl: 'data:text/html,<script>alert(4)</script>',
  skills: Array.from({ length: 8 }, (_, at) => ({
    id: `${at}`,
    name: at % 2 ? LONG : HOSTILE,
    description: LONG.repeat(3),
    tags: [HOSTILE, LONG],
  })),
  defaultInputModes: [LONG, HOSTILE],
  deep: { a: { b: { c: { d: [{}] } } } },
  signatures: [
    {
      protected: Buffer.from('{"alg":"ES256","kid":"theirs","jku":"https://keys.example"}').toString(
        'base64url',
      ),
      signature: 'AAAA',
    },
  ],
}

const LAUNCHES = [
  launchRows('Tidewater', { spotlight: true }, { description: 'Forecasts for small harbours.' }),
  launchRows('Glasshouse', { startsAt: new Date(Date.now() + 60 * MINUTE_MS) }),
  launchRows('Orchard', { graduatedAt: new Date() }),
  launchRows(
    'hostile',
    { website: 'javascript:alert(3)' },
    { name: HOSTILE, description: HOSTILE, image: 'data:text/html,<script>alert(2)</script>' },
  ),
]

const world = useDemo()
const NETWORK = 'chain-mainnet'
const pageOf = (slug: string) => `/agents/${world.agent(slug).address}`
const walletWithRewards = () =>
  `${world.chainOf().world.rewards.find(({ buckets }) => buckets.length === 5)?.wallet.address}`

/** A node on the demo chains that knows some of their agents, one of which has a hostile card, and one is hidden. */
const site = useTestService(() => ({
  site: true,
  launches: LAUNCHES,
  config: {
    ...world.config(),
    cardSigning: { key: parseSigningKey(createSigningKeyText()), previous: [] },
    publicRpcUrls: { 'chain-mainnet': world.chainOf().local.rpcUrl, 'chain-devnet': undefined },
  },
}))

beforeAll(async () => {
  const { url, database } = site()
  for (const slug of ['patchbot', 'tidewatch', 'archivist', 'bellringer'])
    await fetch(`${url}/v1/agents/${world.agent(slug).address}`)
  await setVerified(database, NETWORK, world.agent('patchbot').address, true)
  await saveAuthoredCard(
    database,
    NETWORK,
    world.agent('archivist').address,
    Buffer.from(JSON.stringify(HOSTILE_CARD)),
  )
  await setAgentHidden(database, NETWORK, world.agent('bellringer').address, true)
})

test(
  'agents, rewards and status are complete without script, and what is not there answers 404',
  async () => {
    const { url } = site()
    const get = (path: string) => rawRequest(url, path, { headers: HTML })
    const textOf = async (path: string) => (await get(path)).text

    await eventually(() => textOf('/agents')).toContain('<b>3 agents</b>')
    const agents = await textOf('/agents')
    expect(agents).toContain('<title>Agents · Slipway</title>')
    expect(agents).toContain('<form action="/agents">')
    expect(agents).toContain(`href="${pageOf('patchbot')}"`)
    expect(agents).toContain('title="Other agents can talk to it (Agent2Agent)"')
    expect(await textOf('/agents?q=tidewtch&filter=services')).toMatch(/1 match<.*Tidewatch/s)
    const none = await textOf('/agents?filter=spotlight')
    expect(none).toMatch(/matches all of these filters.*href="\/agents">Remove the filters/s)

    const agent = await textOf(pageOf('patchbot'))
    for (const part of [
      '<title>Patchbot · Slipway</title>',
      '<meta property="og:title" content="Patchbot · Slipway">',
      '<meta property="og:description" content="Watches your continuous integration',
      `<link rel="canonical" href="https://slipway.example${pageOf('patchbot')}">`,
      'Find the breaking change',
      'https://agents.example/patchbot/a2a',
      'Verified by this service’s operator',
      `href="/v1${pageOf('patchbot')}/agent-card.json"`,
    ])
      expect(agent).toContain(part)

    const hostile = await textOf(pageOf('archivist'))
    expect(hostile).toContain('&lt;img src=x onerror=alert(1)')
    expect(hostile).not.toMatch(/<img src=x|href="(?:javascript|data):/)

    for (const path of ['/agents/unknown', pageOf('bellringer')]) {
      const { status, text } = await get(path)
      expect([path, status, text.includes('No agent at this address')]).toEqual([path, 404, true])
    }

    expect(await textOf('/rewards')).toMatch(/<form [^>]*action="\/rewards"/)
    expect(await textOf('/rewards?q=no-wallet')).toContain('This is not a wallet’s address.')
    const wallet = walletWithRewards()
    for (const path of [`/rewards?q=${wallet}`, `/rewards/${wallet}`])
      expect(await textOf(path)).toMatch(
        /Ready to claim.*From (?:<!-- -->)?3 launches.*Liquidity pool, after graduation/s,
      )
    expect(await textOf(`/rewards/${'1'.repeat(32)}`)).toContain('Nothing earned on Mainnet')
    for (const path of ['/rewards/no-wallet', '/wallets/no-wallet']) {
      const { status, text } = await get(path)
      expect([path, status, text.includes('Not a wallet')]).toEqual([path, 404, true])
    }

    await eventually(() => textOf('/status')).toMatch(
      /What it depends on.*Database.*Answered in .*Chain, Mainnet.*Slot \d+/s,
    )
    const status = await textOf('/status')
    // React and the policy: nothing is styled or scripted inline.
    for (const page of [agents, agent, hostile, status]) expect(page).not.toMatch(/<[^>]*\s(?:style|on\w+)="/)
  },
  TEST_MS,
)

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test(
    'no page breaks its policy, reports an error, overflows, is too small for fingers or has a serious accessibility problem',
    async () => {
      const { url } = site()
      const launchOf = (name: string) => `/launches/${addressOf(`launch ${name}`)}`
      const paths: Record<PagePath, string[]> = {
        '/': ['/', '/?q=nothing-like-it'],
        '/launches/new': ['/launches/new'],
        '/launches/:address': [launchOf('Tidewater'), launchOf('hostile')],
        '/agents': ['/agents'],
        '/agents/new': ['/agents/new'],
        '/agents/:address': [pageOf('patchbot'), pageOf('archivist')],
        '/rewards': ['/rewards'],
        '/rewards/:wallet': [`/rewards/${walletWithRewards()}`],
        '/wallets/:address': [`/wallets/${walletWithRewards()}`],
        '/status': ['/status'],
      }
      const opened = await openPage('about:blank')
      for (const path of [...Object.values(paths).flat(), '/nowhere']) {
        await opened.page.setViewportSize(DESKTOP.viewport)
        await visit(opened.page, url + path)
        expect([path, ...(await findProblems(opened))]).toEqual([path])
        if (!paths['/launches/:address'].includes(path))
          expect([path, ...(await findSmallControls(opened.page))]).toEqual([path])
      }
    },
    TEST_MS,
  )

  test(
    'agents are searched, a card is checked with our keys alone, rewards are found, and an outage shows',
    async () => {
      const { url, database } = site()
      const { page, complaints } = await openPage(`${url}/agents`)
      const asked = new Set<string>()
      page.on('request', request => asked.add(new URL(request.url()).origin))
      await isInteractive(page)
      // Until the answer arrives, the summary doesn't give the total of all agents as that of the search.
      await page.route(/v1\/agents\?.*patchbt/, async route => {
        await page.getByText('Searching…').waitFor()
        await route.continue()
      })
      await page.getByRole('searchbox', { name: /agents/ }).fill('patchbt')
      await eventually(() => new URL(page.url()).search).toBe('?q=patchbt')
      await page.getByText('1 match for').waitFor()
      await page.getByRole('link', { name: 'Verified', exact: true }).click()
      await page.getByRole('link', { name: /Patchbot/ }).click()
      await page.getByText('Signed by this service, checked').first().waitFor()
      const balance = page.getByRole('region', { name: 'Wallet' })
      await balance.getByText(/[\d.]+ SOL/).waitFor()

      // A card that differs from what was signed, as a page would get it from a bad proxy.
      await page.route('**/v1/agents/*', async route => {
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).replace('"ci"', '"evil"') })
      })
      await visit(page, `${url}/rewards`)
      await page.getByRole('textbox', { name: 'Wallet address' }).fill('not a wallet')
      await page.getByRole('button', { name: 'Show rewards' }).click()
      await page.getByRole('alert').getByText('This is not a wallet’s address.').waitFor()
      await page.getByRole('textbox', { name: 'Wallet address' }).fill(walletWithRewards())
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'From 3 launches' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/rewards/${walletWithRewards()}`)
      await page.getByRole('link', { name: 'Agents' }).click()
      await page.getByRole('link', { name: /Patchbot/ }).click()
      await page.getByText('Signature does not match').first().waitFor()
      await page.unroute('**/v1/agents/*')

      await page.goto(url + pageOf('archivist'))
      await page.getByText('Signed by others, not checked').first().waitFor()
      // From here on, the other tests' agent is missing: this one comes last.
      await setAgentHidden(database, NETWORK, world.agent('archivist').address, true)
      await page.getByRole('heading', { name: 'No longer listed' }).waitFor()

      await page.goto(`${url}/status`)
      await page.getByRole('heading', { name: 'Everything works' }).waitFor()
      await page.getByText('Answer to your browser').waitFor()
      await page.route(/\/(healthz|readyz)$/, route => route.abort())
      await page.getByRole('heading', { name: 'The service is not answering' }).waitFor()
      await page.getByText(/^Not updating since .* The service is not answering\.$/).waitFor()
      await page.unroute(/\/(healthz|readyz)$/)
      await page.getByRole('heading', { name: 'Everything works' }).waitFor()

      expect(complaints).toEqual([])
      const allowed = [url, world.chainOf().local.rpcUrl].map(one => new URL(one).origin)
      expect([...asked].filter(origin => !allowed.includes(origin) && !isPicture(origin))).toEqual([])
    },
    TEST_MS,
  )

  /** The demo's pictures come from its own host. */
  const isPicture = (origin: string) => new URL(origin).host === world.demo.documentsHost
})
