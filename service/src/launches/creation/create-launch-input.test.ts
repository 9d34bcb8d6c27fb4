import { genesisAddress } from '@slipway/launch-model/addresses'
import { TOKEN_2022_PROGRAM } from '@slipway/launch-model/programs'
import type { LocalChain } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { agentMaker } from '@slipway/local-chain/world/create-agent'
import type { Address } from '@slipway/schema/address'
import { CreateLaunchBody } from '@slipway/schema/create-launch'
import { ANY_NETWORK } from '@slipway/schema/network'
import { expect, onTestFinished, test, vi } from 'vitest'
import { configOf, fundedWallet, type Json } from '../../agents/test-mints.ts'
import type { Config } from '../../config.ts'
import { sha256Of } from '../../metadata/own-documents.ts'
import { removeDocument } from '../../store/hosted-documents.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { startTestService } from '../../testing/test-service.ts'
import { buildTokenDocument } from './create-launch.ts'
import { changed, curveInput, payloadOf, poolInput } from './test-launches.ts'

const owner = createKeypair().address
const stranger = createKeypair().address
const POOL = payloadOf(poolInput(owner))
const CURVE = payloadOf(curveInput(owner, { firstBuyAmount: 0.1 }))

async function start({ devnetUrl = '', ...config }: Partial<Config> & { devnetUrl?: string } = {}) {
  const local = await startChain()
  const rpcUrls = { 'chain-mainnet': [local.rpcUrl], 'chain-devnet': devnetUrl ? [devnetUrl] : [] }
  const { url, database } = await startTestService({ config: { ...configOf(local), rpcUrls, ...config } })
  const create = (payload: Json) => postJson(`${url}/v1/launches/create`, payload)
  return { local, url, database, create }
}

/** A Token-2022 mint that charges a fee on transfers. */
function writeTaxedMint({ chain }: LocalChain): Address {
  const { address } = createKeypair()
  const data = new Uint8Array(278)
  // Six decimals, initialized, a mint, and an extension of type 1 that has 108 bytes.
  for (const [at, byte] of [
    [44, 6],
    [45, 1],
    [165, 1],
    [166, 1],
    [168, 108],
  ] as const)
    data[at] = byte
  chain.writeAccounts(
    new Map([[address, { lamports: 3_000_000n, owner: TOKEN_2022_PROGRAM, data, executable: false }]]),
  )
  return address
}

const relative = (bucketType: string, bucketIndex: number, bucketTime: string, timeOffset = 0) => ({
  type: 'TimeRelativeToUnknownAddress',
  bucketType,
  bucketIndex,
  bucketTime,
  timeOffset,
})
const at = (timestamp: string) => ({ type: 'TimeAbsolute', timestamp })
const SYSTEM = '1'.repeat(32)
const [ALWAYS, NEVER, TRIGGERED] = ['Always', 'Never', 'Triggered'].map(type => ({ type }))
const IN_POOL = 'launch.allocations.0.launchpoolV2'
const IN_CURVE = 'launch.allocations.0.bondingCurveV2'
const UNLOCKED = 'launch.allocations.1.unlockedV2'
const CLAIM = `${IN_POOL}.claimStartCondition`
const { allocations } = POOL.launch
const { fundFlows, depositEndCondition } = allocations[0].launchpoolV2

test("the database's clock decides whether an end has passed, not this machine's", async () => {
  const { create } = await start()
  const { now } = Date
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 365 * 86_400_000)
  onTestFinished(() => clock.mockRestore())
  expect((await create(POOL)).status).toBe(200)
})

test('an invalid launch is refused, and the details name what is wrong', async () => {
  const { create, url, local, database } = await start()
  const taxed = writeTaxedMint(local)
  const pool: [path: string, value: unknown, reported?: string][] = [
    ['wallet', 'junk'],
    ['launch', undefined],
    ['agent', {}, 'agent.mint'],
    ['mint', owner],
    ['mint', genesisAddress(owner)],
    ['mint', SYSTEM],
    ['wallet', SYSTEM],
    ['wallet', genesisAddress(owner)],
    [`${IN_POOL}.fundFlows.0.recipient`, SYSTEM],
    [
      `${IN_POOL}.fundFlows.1.creatorFee`,
      { enabled: true, wallet: SYSTEM },
      `${IN_POOL}.fundFlows.1.creatorFee.wallet`,
    ],
    ['launch.allocations.1.unlockedV2.recipient', SYSTEM],
    ['genesisAccount', 5],
    ['launch.publicKey', stranger],
    ['launch.network', 'chain-devnet'],
    ['launch.name', 'x'.repeat(33)],
    ['launch.name', `${'é'.repeat(16)}x`],
    ['launch.name', ''],
    ['launch.name', 'two\nlines'],
    ['launch.name', '   '],
    ['launch.name', 'Tide\u200bwater'],
    ['launch.name', 'Tide\u202ewater'],
    ['launch.name', 'Tide\u200dwater'],
    ['launch.name', 'Tide\u200cwater'],
    // A joiner at the end of a word or after a letter that does not join, a direction mark within one, and tags after
    // a flag.
    ['launch.name', 'کتاب\u200c'],
    ['launch.name', 'دا\u200cد'],
    ['launch.name', 'می\u200f\u200cخواهم'],
    ['launch.name', '🏴\u{e0067}\u{e0062}\u{e007f}'],
    ['launch.symbol', '\u3164'],
    ['launch.symbol', 'é'.repeat(6)],
    ['launch.image', 'ipfs://x'],
    ['launch.description', 'x'.repeat(251)],
    ['launch.decimals', 10],
    ['launch.supply', 2e13],
    ['launch.isMutable', false],
    ['launch.useExistingToken', true],
    ['launch.quoteMint', stranger],
    ['launch.externalLinks.website', 'ftp://x'],
    // Parts that do not add up.
    ['launch.supply', 1_000_000_000.000001, 'launch.allocations'],
    ['launch.allocations', allocations.slice(0, 1)],
    ['launch.allocations', [...allocations, allocations[0]]],
    ['launch.allocations', []],
    ['launch.type', 'bondingCurve', 'launch.allocations'],
    ['launch.allocations.0.supply', -1],
    ['launch.allocations.1.supply', 0],
    [`${IN_POOL}.fundFlows.0.percentageBps`, 4_999, `${IN_POOL}.fundFlows`],
    [`${IN_POOL}.fundFlows.1.percentageBps`, 0],
    [`${IN_POOL}.fundFlows.0`, fundFlows[1], `${IN_POOL}.fundFlows`],
    [`${IN_POOL}.fundFlows.0.type`, 'Streamflow'],
    [`${IN_POOL}.fundFlows.1.supply`, 0],
    [`${IN_POOL}.fundFlows.1.lpLockSchedule.period`, 31_536_001],
    [`${IN_POOL}.depositBonus.point2TimeBps`, 5_000],
    [`${IN_POOL}.minimumQuoteTokenThreshold`, 0],
    // Times that cannot be.
    [`${IN_POOL}.depositStartCondition.type`, 'Soon'],
    [`${IN_POOL}.depositStartCondition.timestamp`, '1'],
    [`${IN_POOL}.depositStartCondition`, NEVER, `${IN_POOL}.depositStartCondition.type`],
    [`${IN_POOL}.depositStartCondition`, ALWAYS, `${IN_POOL}.depositBonus`],
    [`${IN_POOL}.depositEndCondition`, TRIGGERED, `${IN_POOL}.depositEndCondition.type`],
    [`${IN_POOL}.depositEndCondition`, at('2020-01-01T00:00:00Z')],
    [CLAIM, depositEndCondition],
    [CLAIM, ALWAYS, `${CLAIM}.type`],
    [`${IN_POOL}.claimEndCondition`, ALWAYS, `${IN_POOL}.claimEndCondition.type`],
    [`${IN_POOL}.fundFlows.1.startCondition`, NEVER, `${IN_POOL}.fundFlows.1.startCondition.type`],
    [CLAIM, relative('raydiumV2', 1, 'Graduate'), `${CLAIM}.bucketIndex`],
    [CLAIM, relative('unlockedV2', 2, 'ClaimStart'), `${CLAIM}.bucketIndex`],
    [CLAIM, relative('bondingCurveV2', 0, 'SwapEnd'), `${CLAIM}.bucketIndex`],
    [CLAIM, relative('raydiumV2', 0, 'DepositEnd'), `${CLAIM}.bucketTime`],
    // The program can't compare a bucket with itself.
    [CLAIM, relative('launchpoolV2', 0, 'ClaimStart')],
    [CLAIM, relative('launchpoolV2', 0, 'DepositEnd', 1)],
    [`${IN_POOL}.depositEndCondition`, relative('launchpoolV2', 0, 'DepositStart', 172_800)],
    [`${IN_POOL}.fundFlows.1.lpLockSchedule.startCondition`, relative('raydiumV2', 0, 'Graduate')],
    [`${IN_POOL}.fundFlows.1.lpLockSchedule.cliffCondition`, relative('raydiumV2', 0, 'GraduateStart')],
    // Its end is never.
    [CLAIM, relative('unlockedV2', 0, 'ClaimEnd')],
    // Graduation waits for the end of deposits.
    [`${IN_POOL}.depositEndCondition`, relative('raydiumV2', 0, 'Graduate')],
    // An order that is not certain.
    [CLAIM, relative('raydiumV2', 0, 'GraduateStart', -1)],
    [CLAIM, relative('raydiumV2', 0, 'Graduate', -1)],
    [`${IN_POOL}.claimEndCondition`, at('2100-01-01T00:00:00Z')],
    [`${IN_POOL}.claimEndCondition`, relative('raydiumV2', 0, 'Graduate')],
    [`${IN_POOL}.fundFlows.0.claimEndCondition`, at('2100-01-01T00:00:00Z')],
    [`${UNLOCKED}.claimEndCondition`, at('2100-01-01T00:00:00Z')],
    [`${UNLOCKED}.claimEndCondition`, relative('launchpoolV2', 0, 'DepositEnd', -100)],
    // Claims that end before there are funds.
    [
      `${IN_POOL}.fundFlows.0`,
      { ...fundFlows[0], claimStartCondition: ALWAYS, claimEndCondition: depositEndCondition },
      `${IN_POOL}.fundFlows.0.claimEndCondition`,
    ],
  ]
  const curve: typeof pool = [
    [`${IN_CURVE}.swapEndCondition`, NEVER, `${IN_CURVE}.swapEndCondition.type`],
    [`${IN_CURVE}.virtualBaseTokens`, 0],
    [`${IN_CURVE}.virtualQuoteTokens`, 0],
    [`${IN_CURVE}.virtualQuoteTokens`, 1e12],
    [`${IN_CURVE}.virtualQuoteTokens`, 1e-9],
    [`${IN_CURVE}.virtualQuoteTokens`, 1e10],
    [`${IN_CURVE}.virtualBaseTokens`, 18_446_743_000_000],
    [`${IN_CURVE}.virtualBaseTokens`, 1e-6, `${IN_CURVE}.virtualQuoteTokens`],
    [`${IN_CURVE}.swapStartCondition`, at('2100-01-01T00:00:00Z'), `${IN_CURVE}.firstBuy`],
    [`${IN_CURVE}.firstBuy.amount`, 0.0000009],
    [`${IN_CURVE}.firstBuy.amount`, 85],
    [`${IN_CURVE}.firstBuy.buyer`, genesisAddress(owner)],
    [`${IN_CURVE}.firstBuy.buyer`, SYSTEM],
    [`${IN_CURVE}.creatorFee.wallet`, 'x'],
    [`${IN_CURVE}.creatorFee.wallet`, SYSTEM],
  ]
  for (const [payload, cases] of [
    [POOL, pool],
    [CURVE, curve],
  ] as const)
    for (const [path, value, reported = path] of cases) {
      const { status, body } = await create(changed(payload, path, value))
      expect({ path, value, status, ...body }).toMatchObject({
        status: 400,
        success: false,
        error: 'Validation failed',
        details: expect.arrayContaining([{ path: reported, message: expect.stringMatching(/^[a-z]/) }]),
      })
    }

  const messages: [path: string, value: unknown, message: string][] = [
    ['launch', undefined, 'is required'],
    ['launch', 'x', 'must be an object'],
    ['launch.name', 5, 'must be a string'],
    ['launch.finalize', 1, 'must be true or false'],
    ['launch.decimals', 0.5, 'must be a whole number'],
    ['launch.decimals', 10, 'must be 9 or less'],
    ['launch.supply', 0, 'must be more than 0'],
    ['launch.network', 'moonnet', `must be ${ANY_NETWORK}`],
    ['launch.allocations', [], 'must have at least 1 item'],
    ['launch.allocations', Array(9).fill(allocations[1]), 'must have at most 8 items'],
    [`${IN_POOL}.fundFlows`, Array(9).fill(fundFlows[0]), 'must have at most 8 items'],
    ['launch.quoteMint', owner, 'is not a mint on this network'],
    [
      'launch.quoteMint',
      taxed,
      'has transfers that charge a fee, call a program, or can be forbidden or reversed',
    ],
    ['launch.allocations.0.supply', -1, 'must be 0 or more'],
    [`${IN_POOL}.fundFlows.0.type`, 'Streamflow', 'must be RaydiumLP or UnlockedFunds'],
    [`${IN_POOL}.fundFlows.0.type`, undefined, 'is required'],
    [`${IN_POOL}.depositStartCondition.timestamp`, '1', 'must be an ISO time with a time zone'],
    ['launch.externalLinks.twitter', 5, 'must be a string'],
  ]
  for (const [path, value, message] of messages)
    expect((await create(changed(POOL, path, value))).body.details).toContainEqual({ path, message })
  expect((await create(changed(POOL, `${IN_POOL}.fundFlows.0.percentageBps`, 4_999))).body.details).toEqual([
    { path: `${IN_POOL}.fundFlows`, message: 'the percentageBps add up to 9999, not 10000' },
  ])
  const buyers = changed({ ...CURVE, mint: stranger }, `${IN_CURVE}.firstBuy.buyer`, stranger)
  expect((await create(buyers)).body.details).toEqual([
    { path: `${IN_CURVE}.firstBuy.buyer`, message: 'must not be the same key as mint' },
  ])
  const wrongBuyer = changed(CURVE, `${IN_CURVE}.firstBuy.buyer`, genesisAddress(owner))
  expect((await create(wrongBuyer)).body.details).toEqual([
    { path: `${IN_CURVE}.firstBuy.buyer`, message: "must be a key that can sign, or the agent's wallet" },
  ])
  const removed = sha256Of(buildTokenDocument(CreateLaunchBody.parse(POOL).launch))
  expect((await create(POOL)).status).toBe(200)
  await removeDocument(database, removed)
  expect((await create(POOL)).body.details).toEqual([
    { path: 'launch', message: 'has a document that the operator removed' },
  ])
  const tooMany = await create(changed(CURVE, `${IN_CURVE}.virtualBaseTokens`, 1e16))
  expect(tooMany.body.details).toEqual([
    {
      path: `${IN_CURVE}.virtualBaseTokens`,
      message: 'must be from one smallest unit to 2^64 - 1 units',
    },
  ])

  const errorOf = async (path: string, value: unknown) =>
    (await create(changed(POOL, path, value))).body.error
  expect(await errorOf('launch.type', 'presale')).toBe('Unsupported launch type')
  for (const type of ['presaleV2', 'lockedV2', 'auction'])
    expect(await errorOf('launch.allocations.1', { type, supply: 1 })).toBe('Unsupported allocation type')
  expect(await postJson(`${url}/v1/launches/create`, '[]')).toMatchObject({
    status: 400,
    body: { success: false, error: 'Validation failed', details: [{ path: '' }] },
  })
})

test("the documented example and variants of the official SDK's launches are accepted, but not for another owner's agent", async () => {
  const { local, create } = await start()
  const cases: [payload: Json, path: string, value: unknown][] = [
    [POOL, 'buildAllTx', false],
    [POOL, 'launch.finalize', false],
    [POOL, 'launch.name', 'é'.repeat(16)],
    [POOL, 'launch.name', '👩🏽\u200d🚀🏳️\u200d🌈'],
    [POOL, 'launch.name', 'می\u200cخواهم'],
    [POOL, 'launch.name', 'क्\u200dष'],
    [POOL, 'launch.decimals', 9],
    [POOL, 'launch.description', null],
    [POOL, 'launch.externalLinks', null],
    [POOL, 'launch.network', ''],
    [POOL, `${IN_POOL}.depositBonus`, { enabled: false }],
    [POOL, `${IN_POOL}.minimumQuoteTokenThreshold`, undefined],
    [POOL, `${IN_POOL}.fundFlows.1.creatorFee`, { enabled: true, wallet: stranger }],
    [POOL, CLAIM, at('2100-01-01T00:00:00Z')],
    [POOL, CLAIM, relative('raydiumV2', 0, 'GraduateStart')],
    [POOL, `${IN_POOL}.claimEndCondition`, relative('raydiumV2', 0, 'Graduate', 1)],
    [POOL, `${UNLOCKED}.claimStartCondition`, ALWAYS],
    [CURVE, 'launch.decimals', 9],
    [CURVE, `${IN_CURVE}.swapStartCondition`, at('2020-01-01T00:00:00+02:00')],
    [CURVE, `${IN_CURVE}.firstBuy`, { enabled: false }],
  ]
  for (const [payload, path, value] of cases) {
    const { status, body } = await create(changed(payload, path, value))
    expect({ path, value, status, ...body }).toMatchObject({ status: 200, success: true })
  }
  const examples = CreateLaunchBody.meta()?.examples as object[]
  expect(await create(examples[0] as object)).toMatchObject({ status: 200 })

  const other = fundedWallet(local)
  const [agent, asset] = [createKeypair(), createKeypair()]
  const make = agentMaker(local.chain, other, other)
  for (const key of [agent, asset])
    await make.create(key, { name: 'A', uri: 'https://a.example', collection: undefined })
  await make.register(agent.address, 'https://a.example')
  const answer = (mint: string) => create({ ...POOL, agent: { mint, setToken: false } })
  expect(await answer(agent.address)).toEqual({
    status: 403,
    body: {
      success: false,
      error: 'Not authorized',
      details: [{ path: 'agent.mint', message: 'is not owned by wallet' }],
    },
  })
  for (const mint of [asset.address, genesisAddress(agent.address)])
    expect(await answer(mint)).toMatchObject({ status: 400, body: { details: [{ path: 'agent.mint' }] } })
})

test('nothing is signed or hosted where that is turned off', async () => {
  const { create } = await start({
    freshKeys: false,
    hostsDocuments: { 'chain-mainnet': true, 'chain-devnet': false },
    // No request goes there.
    devnetUrl: 'http://127.0.0.1:9',
  })
  expect(await create(POOL)).toMatchObject({ status: 400, body: { details: [{ path: 'mint' }] } })
  expect(await create({ ...POOL, mint: stranger })).toMatchObject({ status: 200 })
  expect(await create(changed(POOL, 'launch.network', 'chain-devnet'))).toMatchObject({
    status: 503,
    body: { success: false, error: 'PUBLIC_URL is not configured' },
  })
})
