import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { listLaunchSteps } from '@slipway/launch-model/plan/launch-steps'
import { outlineLaunch } from '@slipway/launch-model/plan/outline-launch'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { CreateLaunchBody } from '@slipway/schema/create-launch'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packSteps } from '../../service/src/chain/transactions/launch/pack-steps.ts'
import { checkEnds } from '../../service/src/launches/creation/check-conditions.ts'
import { checkLaunch } from '../../service/src/launches/creation/check-launch.ts'
import { checkQuoteAmounts } from '../../service/src/launches/creation/check-quote-amounts.ts'
import { curveInput, payloadOf, planOf } from '../../service/src/launches/creation/test-launches.ts'
import { buildLaunch, countTransactions, requestAgent } from '../src/pages/new-launch/build-launch.ts'
import { checkDraft, placeDetails } from '../src/pages/new-launch/check-draft.ts'
import { computeCurve, type Draft, EMPTY_DRAFT } from '../src/pages/new-launch/draft.ts'
import { MALLORY as WALLET } from './test-rebuild.ts'

const NOW_MS = Date.parse('2026-03-04T15:00:30Z')
const NAMED: Draft = { ...EMPTY_DRAFT, name: 'Tidewater', symbol: 'TIDE' }

const launchOf = (draft: Draft, earner: string = WALLET) =>
  buildLaunch(draft, {
    wallet: WALLET,
    earner,
    network: 'chain-mainnet',
    pictureUrl: 'https://images.example/tidewater.png',
    nowMs: NOW_MS,
  })

/** Everything that the service finds wrong with a draft. */
function refuse(draft: Draft) {
  const body = CreateLaunchBody.parse({ wallet: WALLET, launch: launchOf(draft) })
  const outline = outlineLaunch(body.launch)
  return [
    ...checkLaunch(body, outline, NOW_MS / 1_000),
    ...checkEnds(outline, NOW_MS / 1_000),
    ...checkQuoteAmounts(body.launch, outline, { quoteDecimals: 9 }),
  ]
}

test('with a name and a symbol alone, the curve is that of the official SDK', () => {
  const { launch } = payloadOf(curveInput(WALLET))
  const [given] = CreateLaunchBody.parse({ wallet: WALLET, launch: launchOf(NAMED) }).launch.allocations
  const [official] = CreateLaunchBody.parse({ wallet: WALLET, launch }).launch.allocations
  // The SDK switches the first buy off, which is the same as leaving it out.
  Object.assign((official as { bondingCurveV2: object }).bondingCurveV2, { firstBuy: undefined })
  expect(given).toEqual(official)
  expect(countTransactions(NAMED)).toBe(2)
})

test('a launch takes no more transactions than the form says, and a curve without an agent exactly as many', () => {
  const [mint, asset, collection] = [createKeypair(), createKeypair(), createKeypair()].map(
    key => key.address,
  )
  const long = { name: 'x'.repeat(32), symbol: 'x'.repeat(10) }
  const agents = [{}, { agent: asset }, { agent: asset, agentToken: 'yes' }] as Partial<Draft>[]
  for (const mechanic of ['bondingCurve', 'launchpool'] as const)
    for (const more of [{}, { firstBuy: '0.5' }, { lock: 'year' as const }, { liquidityShare: '100' }, long])
      for (const change of agents) {
        const draft: Draft = { ...NAMED, poolShare: '40', mechanic, ...more, ...change }
        const agent = { asset, collection, setsToken: draft.agentToken === 'yes' }
        const plan = planOf(
          { wallet: WALLET, launch: launchOf(draft) },
          { mint: mint as never, agent: (draft.agent ? agent : undefined) as never },
        )
        const count = packSteps(plan, listLaunchSteps(plan), WALLET).length
        expect([draft, count <= countTransactions(draft)]).toEqual([draft, true])
        if (mechanic === 'bondingCurve' && !draft.agent) expect(count).toBe(countTransactions(draft))
      }
})

test('what an agent’s launch earns goes to the wallet or to the agent, as chosen, and the first buy stays the wallet’s', () => {
  const agentWallet = assetSignerAddress(createKeypair().address)
  const curve = launchOf({ ...NAMED, firstBuy: '0.5' }, agentWallet)
  expect(curve.publicKey).toBe(WALLET)
  expect(curve.allocations).toMatchObject([
    {
      bondingCurveV2: {
        creatorFee: { wallet: agentWallet },
        firstBuy: { buyer: WALLET },
        fundFlows: [{ creatorFee: { wallet: agentWallet } }],
      },
    },
  ])
  const pool = launchOf({ ...NAMED, mechanic: 'launchpool' }, agentWallet)
  expect(JSON.stringify(pool.allocations)).not.toContain(WALLET)
  expect(pool.allocations[1]).toMatchObject({ unlockedV2: { recipient: agentWallet } })
})

test('an agent gets the token as its own only if that was chosen and it has none', () => {
  const address = createKeypair().address
  const chosen: Draft = { ...NAMED, agent: address, agentToken: 'yes' }
  expect(requestAgent(chosen, {})).toEqual({ mint: address, setToken: true })
  expect(requestAgent(chosen, { agentToken: WALLET })).toEqual({ mint: address, setToken: false })
  expect(requestAgent({ ...chosen, agentToken: 'no' }, {})).toEqual({
    mint: address,
    setToken: false,
  })
})

test('the service accepts the numbers of every draft that the form accepts', () => {
  const percent = fc.integer({ min: 1, max: 10_000 }).map(bps => `${bps / 100}`)
  const sol = fc.integer({ min: 1, max: 9 * 10 ** 15 }).map(lamports => (lamports / 1e9).toFixed(9))
  const time = fc.option(
    fc
      .integer({ min: -5_000, max: 50_000 })
      .map(minutes => new Date(NOW_MS + minutes * 60_000).toISOString().slice(0, 16)),
    { nil: '' },
  )
  const drafts = fc.record({
    mechanic: fc.constantFrom('bondingCurve' as const, 'launchpool' as const),
    supply: fc.oneof(fc.integer({ min: 1, max: 15 * 10 ** 12 }).map(String), fc.constant('1,000,000,000')),
    raise: sol,
    firstBuy: fc.oneof(fc.constant(''), sol),
    goal: sol,
    poolShare: percent,
    liquidityShare: percent,
    lock: fc.constantFrom('forever' as const, 'year' as const),
    startsAt: time,
    endsAt: time,
  })
  let accepted = 0
  fc.assert(
    fc.property(drafts, some => {
      const draft = { ...NAMED, ...some }
      if (Object.keys(checkDraft(draft, { isSent: true, nowMs: NOW_MS })).length > 0) return
      accepted += 1
      expect(refuse(draft)).toEqual([])
    }),
    { numRuns: 1_000 },
  )
  expect(accepted).toBeGreaterThan(100)
})

test('the largest numbers are accepted, and a fault says so beyond them', () => {
  const faultsOf = (part: Partial<Draft>) =>
    checkDraft({ ...NAMED, ...part }, { isSent: true, nowMs: NOW_MS })
  const largest = { supply: '15 000 000 000 000', raise: '9000000', goal: '9000000' }
  for (const mechanic of ['bondingCurve', 'launchpool'] as const) {
    expect(faultsOf({ ...largest, mechanic })).toEqual({})
    expect(refuse({ ...NAMED, ...largest, mechanic })).toEqual([])
    expect(faultsOf({ supply: '15 000 000 000 001', mechanic })).toEqual({
      supply: 'Enter a number from 1 million to 15 trillion.',
    })
  }
  for (const amount of ['9000000.000000001', '9'.repeat(20)]) {
    expect(faultsOf({ raise: amount })).toEqual({ raise: 'Enter at most 9,000,000 SOL.' })
    expect(faultsOf({ goal: amount, mechanic: 'launchpool' })).toEqual({
      goal: 'Enter at most 9,000,000 SOL.',
    })
    expect(computeCurve({ ...NAMED, raise: amount })).toBeUndefined()
  }
  expect(faultsOf({ startsAt: '+275760-09-12T00:00' })).toEqual({
    startsAt: 'Enter a date before the year 2100.',
  })
})

test('the form and the service agree about links', () => {
  const links = [
    [
      'website',
      'https://tidewater.example',
      'tidewater.example',
      'javascript:x',
      'https://bank@evil.example',
    ],
    ['social', '@tidewater', 'x.com/tidewater', 'javascript:x', 'example.com/tidewater', 'tide water'],
    ['telegram', 't.me/tidewater', 'x.com/tidewater', 'javascript:x', 'ti\u200bde'],
    ['discord', 'abc123', 'discord.gg/abc123', 'discord.gg/@abc', 'javascript:x', 'data:,x'],
  ] as const
  for (const [name, ...texts] of links)
    for (const text of texts) {
      const fault = checkDraft({ ...NAMED, [name]: text }, { isSent: true, nowMs: NOW_MS })[name]
      const isAccepted = CreateLaunchBody.safeParse({
        wallet: WALLET,
        launch: launchOf({ ...NAMED, [name]: text }),
      }).success
      expect([name, text, fault === undefined]).toEqual([name, text, isAccepted])
    }
})

test('what the API finds is at the field that it is about, and the rest is kept', () => {
  const place = (path: string, mechanic: Draft['mechanic']) => {
    const { faults, others } = placeDetails(
      { message: 'Validation failed', details: [{ path, message: 'must be positive' }] } as never,
      mechanic,
    )
    return Object.keys(faults)[0] ?? others[0]
  }
  const pool = 'launch.allocations.0.launchpoolV2'
  const curve = 'launch.allocations.0.bondingCurveV2'
  for (const [path, field] of [
    ['launch.name', 'name'],
    ['launch.externalLinks.website', 'website'],
    ['launch.supply', 'supply'],
    ['launch.allocations.0.supply', 'poolShare'],
    [`${pool}.depositStartCondition.timestamp`, 'startsAt'],
    [`${pool}.depositEndCondition`, 'endsAt'],
    [`${pool}.minimumQuoteTokenThreshold`, 'goal'],
    [`${pool}.fundFlows.0.percentageBps`, 'liquidityShare'],
  ] as const)
    expect([path, place(path, 'launchpool')]).toEqual([path, field])
  for (const [path, field] of [
    [`${curve}.swapStartCondition`, 'startsAt'],
    [`${curve}.virtualQuoteTokens`, 'raise'],
    [`${curve}.firstBuy.amount`, 'firstBuy'],
    [`${curve}.swapEndCondition`, `${curve}.swapEndCondition: must be positive`],
    ['wallet', 'wallet: must be positive'],
    ['agent.mint', 'agent'],
    ['agent', 'agent'],
    ['agent.setToken', 'agentToken'],
  ] as const)
    expect([path, place(path, 'bondingCurve')]).toEqual([path, field])
})
