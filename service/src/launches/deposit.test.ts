import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { LaunchPosition } from '@slipway/schema/position'
import { expect, test, vi } from 'vitest'
import { explainFailure } from '../../../client/src/explain-failure.ts'
import { useDemo } from '../testing/demo.ts'
import { demoLaunch, demoWallet, postJson, submitBuilt } from '../testing/demo-launches.ts'
import { useRegistered } from '../testing/registering.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const SOL = 1_000_000_000n
const LATER = { timeout: 30_000 }
const world = useDemo()
/** Launch pools, presales and curves in every state. */
const LAUNCHES = [
  'orchard-ledger',
  'paper-lighthouse',
  'quiet-engine',
  'saltbox',
  'kiln',
  'patchbot',
  'full-house',
  'cold-harbour',
  'slack-water',
  'night-ferry',
  'tollgate',
  'herring-row',
  'long-meadow',
  'cloud-cellar',
]
const service = useRegistered(world, LAUNCHES)

const pathOf = (slug: string) => `${service().url}/v1/launches/${demoLaunch(world, slug).genesisAddress}`
const post = (slug: string, action: string, body: object) => postJson(`${pathOf(slug)}/${action}`, body)
async function position(slug: string, wallet: string) {
  const answer = await fetch(`${pathOf(slug)}/positions/${wallet}`)
  return { status: answer.status, body: (await answer.json()) as { data: LaunchPosition; error?: unknown } }
}
const aWallet = () => demoWallet(world)
const submitAll = submitBuilt.bind(undefined, world)

test('a wallet deposits and withdraws with transactions from the API, and its position is what was announced', async () => {
  const wallet = aWallet()
  expect((await position('orchard-ledger', wallet.address)).body.data).toMatchObject({
    deposited: '0',
    share: 0,
    entitled: '0',
    claimable: '0',
    claimed: '0',
    refundable: '0',
    balance: '0',
    paid: null,
    received: null,
    quoteDecimals: 9,
    baseDecimals: 6,
  })
  const { status, body } = await post('orchard-ledger', 'deposit', { wallet: wallet.address, amount: 1e9 })
  expect([status, body.cost]).toEqual([
    200,
    { paid: '1000000000', fee: '20000000', penalty: '0', credited: '980000000' },
  ])
  await submitAll(body, wallet)
  await expect
    .poll(async () => (await position('orchard-ledger', wallet.address)).body.data, LATER)
    .toEqual({ ...body.position, slot: expect.any(Number) })
  const withdrawn = await post('orchard-ledger', 'withdraw', { wallet: wallet.address, amount: 'all' })
  expect(withdrawn.body).toMatchObject({ receives: '960400000', position: { deposited: '0' } })
  await submitAll(withdrawn.body, wallet)
  // Requests within a slot get the same answer.
  await expect
    .poll(async () => (await position('orchard-ledger', wallet.address)).body.data.deposited, LATER)
    .toBe('0')
})

test('every refusal has its own status and text', async () => {
  const wallet = aWallet().address
  const amount = `${SOL}`
  const cases: [slug: string, action: string, body: object, status: number, error: string][] = [
    ['patchbot', 'deposit', { wallet, amount }, 409, 'This launch trades; use swap'],
    ['patchbot', 'withdraw', { wallet, amount: 'all' }, 409, 'This launch trades; use swap'],
    ['patchbot', 'claim', { wallet }, 400, 'Nothing to claim'],
    ['patchbot', 'graduate', { payer: wallet }, 409, 'This launch has not ended'],
    ['saltbox', 'deposit', { wallet, amount }, 409, 'Deposits have not started'],
    ['kiln', 'deposit', { wallet, amount }, 409, 'Deposits have ended'],
    ['kiln', 'withdraw', { wallet, amount }, 409, 'Withdrawals have ended'],
    ['kiln', 'claim', { wallet }, 400, 'Nothing to claim'],
    ['kiln', 'graduate', { payer: wallet }, 409, 'This launch has graduated'],
    ['orchard-ledger', 'withdraw', { wallet, amount }, 400, 'Nothing to withdraw'],
    ['quiet-engine', 'graduate', { payer: wallet }, 409, 'This launch has not ended'],
    ['orchard-ledger', 'graduate', { payer: wallet }, 409, 'This launch does not become a pool'],
    ['orchard-ledger', 'deposit', { wallet, amount: `${99n * SOL}` }, 400, 'Insufficient balance'],
    [
      'orchard-ledger',
      'deposit',
      { wallet, amount, maxCost: `${SOL - 1n}` },
      409,
      'This deposit costs more than your limit',
    ],
    ['orchard-ledger', 'deposit', { wallet, amount, agent: wallet }, 404, 'Agent not found'],
  ]
  for (const [slug, action, body, status, error] of cases) {
    const answer = await post(slug, action, body)
    expect([slug, action, answer.status, answer.body]).toMatchObject([
      slug,
      action,
      status,
      { success: false, error },
    ])
  }
  const [agent] = world.chainOf().world.agents.map(({ address }) => address)
  expect(await post('orchard-ledger', 'deposit', { wallet, amount, agent })).toMatchObject({
    status: 403,
    body: { success: false, error: 'Not authorized' },
  })
})

test('bad input is 400, unknown launches are 404, and a wallet that isn’t an address is reported as such', async () => {
  const wallet = createKeypair().address
  for (const body of [
    { wallet },
    { wallet, amount: 0 },
    { wallet, amount: '1.5' },
    { wallet, amount: `${2n ** 64n}` },
    { wallet, amount: -1 },
    { wallet: 'x', amount: '5' },
    { wallet, amount: '5', payer: wallet, agent: wallet },
    { wallet, amount: '5', priorityFee: 10_000_001 },
    { wallet, amount: 'all' },
  ])
    expect(await post('orchard-ledger', 'deposit', body)).toMatchObject({
      status: 400,
      body: { error: 'Invalid input data' },
    })
  expect(await post('orchard-ledger', 'claim', { wallet, unwrap: 'yes' })).toMatchObject({ status: 400 })
  const keyless = assetSignerAddress(wallet)
  expect(await post('orchard-ledger', 'claim', { wallet: keyless, unwrap: true })).toMatchObject({
    status: 400,
    body: { error: 'Invalid input data', details: [{ path: 'unwrap' }] },
  })
  expect(await post('orchard-ledger', 'graduate', {})).toMatchObject({ status: 400 })
  const unknown = `${service().url}/v1/launches/${wallet}`
  for (const [action, body] of [
    ['deposit', { wallet, amount: '5' }],
    ['withdraw', { wallet, amount: 'all' }],
    ['claim', { wallet }],
    ['graduate', { payer: wallet }],
  ] as const)
    expect(await postJson(`${unknown}/${action}`, body)).toMatchObject({
      status: 404,
      body: { success: false, error: 'Launch not found' },
    })
  const answer = await fetch(`${unknown}/positions/${wallet}`)
  expect([answer.status, await answer.json()]).toEqual([404, { error: { message: 'Launch not found' } }])
  expect(await position('orchard-ledger', 'x')).toEqual({
    status: 400,
    body: { error: { message: '✖ Invalid wallet address' } },
  })
})

test('a launch that has sold out graduates at the announced cost, and trades in its pool', async () => {
  const payer = aWallet()
  const { status, body } = await post('full-house', 'graduate', {
    payer: payer.address,
    priorityFee: 1_234_567,
  })
  expect([status, body.transactions?.length]).toEqual([200, 2])
  const { local } = world.chainOf()
  const before = local.chain.account(payer.address)?.lamports ?? 0n
  await submitAll(body, payer)
  expect(before - (local.chain.account(payer.address)?.lamports ?? 0n)).toBe(BigInt(body.cost.total))
  const { fees, rentsMax, rentsNow, rentsGoTo } = body.costs.payer
  expect([BigInt(fees) + BigInt(rentsNow), rentsNow, rentsGoTo]).toEqual([
    BigInt(body.cost.total),
    body.cost.rent,
    [],
  ])
  expect(rentsMax).toBe(rentsNow)
  expect(await post('full-house', 'graduate', { payer: payer.address })).toMatchObject({
    status: 409,
    body: { error: 'This launch has graduated' },
  })
  const quote = await fetch(`${pathOf('full-house')}/quote?side=buy&amount=1000000`)
  expect(await quote.json()).toMatchObject({ data: { venue: 'pool' } })
})

test('a visitor claims from launches in every state, and graduates those that wait for it', async () => {
  const { visitor } = world.chainOf().world
  const wallet = visitor.address
  const claimAll = async (slug: string) => {
    const before = (await position(slug, wallet)).body.data
    const { status, body } = await post(slug, 'claim', { wallet })
    expect([slug, status]).toEqual([slug, 200])
    expect([before.claimable, before.refundable]).toEqual([body.receives.tokens, body.receives.quote])
    expect(body.quoteMint).toBe(before.quoteMint)
    await submitAll(body, visitor)
    return body.receives
  }
  for (const slug of ['slack-water', 'night-ferry']) {
    expect(await post(slug, 'claim', { wallet })).toMatchObject({
      status: 409,
      body: { error: 'This launch has ended and has not graduated yet' },
    })
    const { status, body } = await post(slug, 'graduate', { payer: wallet })
    expect([slug, status]).toEqual([slug, 200])
    await submitAll(body, visitor)
    await expect.poll(async () => (await position(slug, wallet)).body.data.claimable, LATER).not.toBe('0')
  }
  for (const slug of ['slack-water', 'night-ferry', 'tollgate', 'herring-row', 'long-meadow']) {
    const { tokens } = await claimAll(slug)
    expect(BigInt(tokens)).toBeGreaterThan(0n)
    expect(await post(slug, 'claim', { wallet })).toMatchObject({
      status: 400,
      body: { error: 'Nothing to claim' },
    })
  }
  const refund = await claimAll('cloud-cellar')
  expect([refund.tokens, BigInt(refund.quote) > 0n]).toEqual(['0', true])
  expect(await post('cold-harbour', 'claim', { wallet })).toMatchObject({
    status: 409,
    body: { error: 'Claims have not started' },
  })
})

test('the client explains why a deposit has failed on the chain', () => {
  const logs = ['Program GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B failed: custom program error: 0x15']
  expect(explainFailure({ logs })).toEqual({ code: 'DEPOSITS_ENDED', message: 'Deposits have ended' })
})

test('examples/deposit.js deposits and withdraws', async () => {
  const env = { ...process.env, DATA_DIR: dirname(world.demo.demoFile), SLIPWAY_URL: service().url }
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'examples/deposit.js')], { env })
  expect(stdout).toMatch(
    /^before {5}0 SOL, 0\.00 % of the pool; can deposit\ndeposit {4}0\.5 SOL \(fee 0\.01 SOL, penalty 0 SOL\)\nconfirmed {2}\w{80,}\nwithdraw {3}0\.245 SOL \(0\.2401 SOL arrives\)\nconfirmed {2}\w{80,}\nafter {6}0\.245 SOL, \d\.\d\d % of the pool; can deposit, withdraw\n$/,
  )
})

test('what a wallet has is as of minSlot or later, however recently it was read', async () => {
  const wallet = aWallet()
  const { local } = world.chainOf()
  const url = service().url
  const read = async (path: string) => {
    const response = await fetch(`${url}${path}`)
    return { status: response.status, body: (await response.json()) as never }
  }
  const positionPath = `/v1/launches/${demoLaunch(world, 'orchard-ledger').genesisAddress}/positions/${wallet.address}`
  const walletPath = `/v1/wallets/${wallet.address}`
  // It is kept from now on. The embedded chain answers within a slot, so the deposit must land in a later one.
  await read(positionPath)
  const readIn = local.chain.slotAt('processed')
  await vi.waitUntil(() => local.chain.slotAt('processed') > readIn)
  const { body } = await post('orchard-ledger', 'deposit', { wallet: wallet.address, amount: '500000000' })
  await submitAll(body, wallet)
  const minSlot = local.chain.slotAt('confirmed')
  expect(await read(`${positionPath}?minSlot=${minSlot}`)).toMatchObject({
    status: 200,
    body: { data: { deposited: '490000000' } },
  })
  const quotePath = `${pathOf('patchbot').slice(url.length)}/quote?side=buy&amount=1000000`
  for (const path of [walletPath, `/v1/creator-rewards/${wallet.address}`, quotePath]) {
    const query = path.includes('?') ? '&' : '?'
    // A wallet's page needs the index, which this service doesn't have.
    if (path !== walletPath) expect((await read(`${path}${query}minSlot=${minSlot}`)).status, path).toBe(200)
    for (const wrong of [`${minSlot + 5_000}`, '-1', 'x'])
      expect(await read(`${path}${query}minSlot=${wrong}`), path).toEqual({
        status: 400,
        body: { error: { message: '✖ Invalid minSlot' } },
      })
  }
  const agent = world.chainOf().world.agents[0]?.address
  expect((await read(`/v1/agents/${agent}/wallet?minSlot=${minSlot}`)).status).toBe(200)
  for (const [wrong, message] of [
    [`${minSlot + 5_000}`, 'is far above the newest slot of this network'],
    ['x', 'must be a slot'],
  ])
    expect(await read(`/v1/agents/${agent}/wallet?minSlot=${wrong}`)).toEqual({
      status: 400,
      body: { success: false, error: 'Invalid input data', details: [{ path: 'minSlot', message }] },
    })
})
