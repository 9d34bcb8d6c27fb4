import { expect, test } from 'vitest'
import { createPageRenderer } from './render-page.tsx'

const WALLET = '62F4XXuAav4VHGuaLPeEzorQePLM9vi4BN7G9A86To5L'
const SOL = 'So11111111111111111111111111111111111111112'
const OTHER = '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E'
const PAID_IN = {
  'launch-sol': { mint: SOL, decimals: 9 },
  'launch-other': { mint: OTHER, decimals: 6 },
  /** It is over, and has missed its goal. */
  'launch-missed': { mint: SOL, decimals: 9 },
}
type Launch = keyof typeof PAID_IN

const launchOf = (genesisAddress: Launch, mechanic = 'launchpoolV2') => ({
  launch: {
    genesisAddress,
    mechanic,
    startTime: '2026-01-01T00:00:00.000Z',
    endTime: `${genesisAddress === 'launch-missed' ? 2026 : 2099}-01-02T00:00:00.000Z`,
    lastActivityAt: '2026-01-02T00:00:00.000Z',
    graduatedAt: null,
    spotlight: false,
    heroUrl: null,
  },
  baseToken: {
    address: `token-${genesisAddress}`,
    name: 'Tidewater',
    symbol: 'TIDE',
    image: '',
    description: '',
  },
  website: '',
  socials: {},
  verifiedSocials: [],
})

/** The same numbers of smallest units for both. */
const activityOf = (genesisAddress: Launch) => ({
  genesisAddress,
  quoteMint: PAID_IN[genesisAddress].mint,
  quoteDecimals: PAID_IN[genesisAddress].decimals,
  baseDecimals: 6,
  goal: '5000000000000',
  creatorWallets: [WALLET],
  current: {
    raised: '1234567000000',
    sold: '0',
    supply: '1000000',
    price: '0.25',
    progress: 0.2469,
    participants: '3',
    creatorFees: '7654321000',
  },
  endedAt: null,
  points: [],
})

const bucketOf = (genesisAddress: Launch) => ({
  address: `bucket-${genesisAddress}`,
  kind: 'bondingCurveV2',
  genesisAddress,
  quoteMint: PAID_IN[genesisAddress].mint,
  accrued: '98765432101',
  claimed: '1',
  uncollected: '0',
  claimable: '98765432100',
})

const walletOf = (launches: Launch[]) => ({
  positions: launches.map(genesisAddress => ({
    ...launchOf(genesisAddress),
    genesisAddress,
    ...{ deposited: '2000000', share: 0.25, balance: '3000000', claimed: '0', claimable: '4000000' },
    ...{ refundable: '5000000', proceeds: '6000000', nextClaim: '2026-01-03T00:00:00.000Z' },
    quoteMint: PAID_IN[genesisAddress].mint,
    quoteDecimals: PAID_IN[genesisAddress].decimals,
    baseDecimals: 6,
    actions: [],
  })),
  launches: [],
  agents: [],
  rewards: [{ quoteMint: SOL, claimable: '1175000000', buckets: 2 }],
  truncated: true,
  unavailable: ['launch-lost'],
  next: { positions: null, launches: null, agents: null },
})

/** Answers as the API does, for one launch that is paid in SOL and one that is paid in another token. */
function answer(path: string): unknown {
  const launch = path.split('/')[3] as Launch
  if (path === '/v1/launches') return [launchOf('launch-sol'), launchOf('launch-other')]
  if (path.endsWith('/activity')) return activityOf(launch)
  if (path.startsWith('/v1/launches/')) return launchOf(launch)
  const buckets = [bucketOf('launch-sol'), bucketOf('launch-other')]
  const totals = buckets.map(({ quoteMint, accrued, claimed, uncollected, claimable }) => ({
    ...{ quoteMint, accrued, claimed, uncollected, claimable },
  }))
  if (path.startsWith('/v1/wallets/')) return walletOf(['launch-sol', 'launch-other'])
  return path.startsWith('/v1/creator-rewards/') ? { wallet: WALLET, buckets, totals } : undefined
}

const renderer = createPageRenderer(
  {
    settings: {
      publicUrl: 'https://slipway.example',
      networks: ['chain-mainnet'],
      rpc: {},
      isEmbedded: false,
      isDemo: false,
      hasDemoWallet: false,
    },
    files: { themeScript: '', script: '', icon: '', preview: '', styles: [], fonts: [], pages: {} },
  },
  async input => {
    const data = answer(new URL(`${input}`).pathname)
    const figures = [activityOf('launch-sol'), activityOf('launch-other')]
    return data
      ? Response.json({ data, page: { next: null, total: 2, figures } })
      : Response.json({ error: { message: '' } }, { status: 404 })
  },
)

/** What a person reads, without the data that the browser continues from. */
async function readPage(path: string): Promise<string> {
  const { html } = await renderer.render(path)
  const content = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  return content.replaceAll(/<!-- -->|<[^>]*>/g, '').replaceAll(/\s+/g, ' ')
}

const amountsIn = (text: string) => text.match(/[\d.,]+M?(?: of [\d.,]+M?)? (?:SOL|9n4n…eJ9E)/g)

test('a list shows each launch in its own token, with the decimals of that token', async () => {
  expect(amountsIn(await readPage('/?status=live'))).toEqual([
    ...['1,235 of 5,000 SOL', '0.25 SOL'],
    ...['1.235M of 5M 9n4n…eJ9E', '0.25 9n4n…eJ9E'],
  ])
})

test('a launch that is paid in an unknown token names its mint, and never SOL', async () => {
  const text = await readPage('/launches/launch-other')
  const inBar = '1.235M 9n4n…eJ9E'
  expect(amountsIn(text)).toEqual([
    ...['1.235M of 5M 9n4n…eJ9E', '0.25 9n4n…eJ9E'],
    ...['7,654 9n4n…eJ9E', inBar],
  ])
  expect(text).not.toContain('SOL')
  const { html } = await renderer.render('/launches/launch-other')
  expect(html).toContain('content="Live · 1.235M 9n4n…eJ9E raised.')
})

test('a launch that missed its goal has no price and has sold nothing, but says what was raised and that refunds are open', async () => {
  const text = await readPage('/launches/launch-missed')
  expect(amountsIn(text)).toEqual(['1,235 of 5,000 SOL', '7.6543 SOL'])
  for (const words of ['Goal missed', 'Everyone can get their deposit back.', 'Nothing, because the goal'])
    expect(text).toContain(words)
  expect(text).not.toContain('Price')
  const { html } = await renderer.render('/launches/launch-missed')
  expect(html).toContain('content="Goal missed, refunds open · 1,235 SOL raised.')
})

test('rewards are totalled per token, and every amount has the decimals of its token', async () => {
  const ofSol = ['98.7654', '98.7654', '0.000000001'].map(amount => `${amount} SOL`)
  const ofOther = ['98,765', '98,765', '0.000001'].map(amount => `${amount} 9n4n…eJ9E`)
  const rowOf = ([claimable, earned, claimed]: string[]) => [earned, claimed, claimable]
  expect(amountsIn(await readPage(`/rewards/${WALLET}`))).toEqual([
    ...ofSol,
    ...ofOther,
    ...rowOf(ofSol),
    ...rowOf(ofOther),
  ])
  // All digits are on hover.
  const { html } = await renderer.render(`/rewards/${WALLET}`)
  for (const exact of ['98.765432101 SOL', '98,765.432101 9n4n…eJ9E'])
    expect(html).toContain(`title="${exact}"`)
})

test('what curves have earned is compared only in one token', async () => {
  const text = await readPage('/rewards')
  expect(text).toContain('What the largest curves have earned for their creators')
  expect(amountsIn(text)).toEqual(['7.6543 SOL'])
})

test('a wallet’s positions say in words what it has, with the decimals of each token', async () => {
  const text = await readPage(`/wallets/${WALLET}`)
  const line = ([deposited, refundable, proceeds]: string[], symbol: string) =>
    [
      `Tidewater Live Launch pool Refund of ${refundable} ${symbol}`,
      '4 TIDE to claim',
      `${proceeds} ${symbol} of what was raised to claim`,
      '3 TIDE',
      `${deposited} ${symbol} deposited`,
      'More to claim Sat 3 Jan',
    ].join(' ')
  expect(text).toContain(line(['0.002', '0.005', '0.006'], 'SOL'))
  expect(text).toContain(line(['2', '5', '6'], '9n4n…eJ9E'))
  expect(text).toContain('Ready to claim1.175 SOL Creator rewards')
  expect(text).toContain('1 launch could not be read right now.')
  expect(text).toContain('some of its tokens may be missing')
})
