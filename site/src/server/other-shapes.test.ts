import { expect, test, vi } from 'vitest'
import { createPageRenderer } from './render-page.tsx'

const WALLET = '62F4XXuAav4VHGuaLPeEzorQePLM9vi4BN7G9A86To5L'
const SOL = 'So11111111111111111111111111111111111111112'
const LAUNCH = '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E'
const TIME = '2026-01-01T00:00:00.000Z'

const token = { address: LAUNCH, name: 'Tidewater', symbol: 'TIDE', image: '', description: 'Forecasts.' }
const launch = {
  launch: {
    genesisAddress: LAUNCH,
    mechanic: 'bondingCurveV2',
    launchPage: 'https://slipway.example',
    type: 'token',
    startTime: TIME,
    endTime: '2099-01-01T00:00:00.000Z',
    lastActivityAt: TIME,
    graduatedAt: null,
    spotlight: true,
    heroUrl: 'hero.png',
  },
  baseToken: token,
  website: 'https://tidewater.example',
  socials: { x: 'https://x.com/tidewater' },
  verifiedSocials: ['x'],
  agent: LAUNCH,
}
const values = {
  raised: '1000',
  sold: '10',
  supply: '100',
  price: '0.25',
  progress: 0.5,
  participants: 3,
  creatorFees: '7',
}
const activity = {
  genesisAddress: LAUNCH,
  quoteMint: SOL,
  quoteDecimals: 9,
  baseDecimals: 6,
  goal: '5000',
  creatorWallets: [WALLET],
  current: values,
  endedAt: null,
  points: [{ time: TIME, ...values }],
}
const card = {
  name: 'Tidewatch',
  description: 'Watches tides.',
  url: 'https://tidewatch.example/a2a',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'https://tidewatch.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'tide', name: 'Tide', description: 'Tells the tide.', tags: ['sea'] }],
  provider: { organization: 'Harbour', url: 'https://harbour.example' },
  signatures: [{ protected: 'a', signature: 'b' }],
}
const agent = {
  address: LAUNCH,
  name: 'Tidewatch',
  description: 'Watches tides.',
  image: 'https://tidewatch.example/a.png',
  walletAddress: WALLET,
  owner: WALLET,
  authority: WALLET,
  agentMetadataUri: 'https://tidewatch.example/agent.json',
  agentToken: LAUNCH,
  a2aCard: card,
  verifiedAt: TIME,
  tokens: [token],
  agentTokenInfo: token,
  type: 'agent',
  services: [{ name: 'A2A', endpoint: 'https://tidewatch.example' }],
  active: true,
  registrations: [{ agentId: 1, agentRegistry: 'eip155:1:0x0' }],
  supportedTrust: ['reputation'],
}
const record = {
  mintAddress: LAUNCH,
  network: 'chain-mainnet',
  name: 'Tidewatch',
  description: 'Watches tides.',
  image: 'https://tidewatch.example/a.png',
  agentToken: LAUNCH,
  metadata: { services: agent.services },
  a2aCard: card,
  isActive: true,
  spotlightedAt: TIME,
  verifiedAt: TIME,
  createdAt: TIME,
}
const amounts = { quoteMint: SOL, accrued: '30', claimed: '10', uncollected: '5', claimable: '15' }
const rewards = {
  wallet: WALLET,
  buckets: [{ address: LAUNCH, kind: 'bondingCurveV2', genesisAddress: LAUNCH, ...amounts }],
  totals: [amounts],
}

const wallet = {
  positions: [
    {
      genesisAddress: LAUNCH,
      actions: [{ action: 'claim', available: true, reason: null }],
      launch: launch.launch,
      baseToken: token,
      wallet: WALLET,
      ...{ deposited: '1', entitled: '2', claimable: '3', claimed: '4', refundable: '5', proceeds: '6' },
      ...{ balance: '7', share: 0.5, nextClaim: TIME, quoteMint: SOL, quoteDecimals: 9, baseDecimals: 6 },
    },
  ],
  launches: [launch],
  agents: [{ address: LAUNCH, name: 'Tidewatch', image: null, wallet: WALLET, lamports: '8' }],
  rewards: [{ quoteMint: SOL, claimable: '9', buckets: 1 }],
  truncated: true,
  unavailable: [LAUNCH],
  next: { positions: 'a', launches: 'b', agents: 'c' },
}

const ANSWERS: [path: RegExp, answer: object][] = [
  [/^\/v1\/launches$/, { data: [launch] }],
  [/^\/v1\/launches\/\w+\/activity$/, { data: activity }],
  [/^\/v1\/launches\/\w+$/, { data: launch }],
  [/^\/v1\/agents$/, { data: { agents: [record], total: 1, totalPages: 1, page: 1, pageSize: 24 } }],
  [/^\/v1\/agents\/\w+$/, agent],
  [/^\/v1\/creator-rewards\/\w+$/, { data: rewards }],
  [/^\/v1\/wallets\/\w+$/, { data: wallet }],
]

/** The answer with each of its fields left out in turn, and with something else in its place. */
function* listVariants(answer: object): Generator<{ name: string; variant: object }> {
  // This one decides which figures are shown, and not what they are.
  for (const field of listFields(answer).filter(name => !name.endsWith('.graduatedAt')))
    for (const other of [undefined, null, 'other', {}]) {
      const copy = structuredClone(answer) as Record<string, unknown>
      const names = field.split('.')
      const last = names.pop() as string
      const place = names.reduce((inside, name) => inside[name] as Record<string, unknown>, copy)
      if (other === undefined) delete place[last]
      else place[last] = other
      yield { name: `${field}: ${JSON.stringify(other)}`, variant: copy }
    }
}

function listFields(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) => [
    name,
    ...listFields(inside).map(field => `${name}.${field}`),
  ])
}

const renderWith = (find: (path: string) => unknown) =>
  createPageRenderer(
    {
      settings: {
        publicUrl: 'https://slipway.example',
        networks: ['chain-mainnet'],
        rpc: {},
        heroesUrl: 'https://heroes.example/',
        isEmbedded: false,
        isDemo: false,
        hasDemoWallet: false,
      },
      files: { themeScript: '', script: '', icon: '', preview: '', styles: [], fonts: [], pages: {} },
    },
    async input => {
      const found = find(new URL(`${input}`).pathname)
      return found ? Response.json(found) : Response.json({ error: { message: '' } }, { status: 404 })
    },
  )

const answerTo = (path: string) => ANSWERS.find(([pattern]) => pattern.test(path))?.[1]

/** What a person reads. */
const textOf = (html: string) =>
  html.slice(html.indexOf('<main'), html.indexOf('</main>')).replaceAll(/<!-- -->/g, '')
const wordsOf = (html: string) => textOf(html).replaceAll(/<[^>]*>/g, ' ')
const amountsIn = (html: string) =>
  new Set(wordsOf(html).match(/\d[\d.,₀-₉]*[MBT]?(?= +(?:of|SOL|TIDE|tokens)\b)/g))
const WRONG = /(?:>|\s)(?:undefined|NaN|Infinity|Invalid Date|\[object Object\]|null)(?:<|\s)/

test.each([
  '/',
  `/launches/${LAUNCH}`,
  '/agents',
  `/agents/${LAUNCH}`,
  `/rewards/${WALLET}`,
  `/wallets/${WALLET}`,
])(
  '%s shows no wrong amount for an answer of another shape: a page that can’t be drawn fails',
  async page => {
    // In development, React and the query library warn about missing values.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const asked = new Set<string>()
    const whole = await renderWith(path => {
      asked.add(path)
      return answerTo(path)
    }).render(page)
    expect(whole.status).toBe(200)
    const known = amountsIn(whole.html)
    const faults: string[] = []
    for (const path of asked)
      for (const { name, variant } of listVariants(answerTo(path) ?? {})) {
        const { status, html } = await renderWith(other => (other === path ? variant : answerTo(other)))
          .render(page)
          // The service sends its own page for this error.
          .catch(() => ({ status: 500, html: '' }))
        const wrong = WRONG.exec(textOf(html))?.[0] ?? [...amountsIn(html)].find(amount => !known.has(amount))
        if (status === 200 && wrong !== undefined) faults.push(`${path} ${name} shows ${wrong}`)
      }
    expect(faults).toEqual([])
  },
)
