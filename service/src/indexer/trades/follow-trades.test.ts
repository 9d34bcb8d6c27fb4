import { SwapDirection, swapBondingCurveV2 } from '@metaplex-foundation/genesis'
import { createAssociatedToken, syncNative, transferSol } from '@metaplex-foundation/mpl-toolbox'
import { lamports, publicKey, transactionBuilder } from '@metaplex-foundation/umi'
import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { CONDITIONS } from '@slipway/local-chain/conditions'
import { decodeTokenAccount } from '@slipway/local-chain/ledger/token-balances'
import { asAddress, wallet } from '@slipway/local-chain/testing/umi-wallet'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import type { WorldLaunch } from '@slipway/local-chain/world/world-launch'
import type { Address } from '@slipway/schema/address'
import { getBase58Decoder } from '@solana/kit'
import { expect, test } from 'vitest'
import { getJson } from '../../agents/test-mints.ts'
import type { Database } from '../../store/database.ts'
import { readTradesProgress } from '../../store/trade-progress.ts'
import { useDemo } from '../../testing/demo.ts'
import { listTradesOf, readStored } from '../../testing/landed-trades.ts'
import { startRpcProxy } from '../../testing/rpc-proxy.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { startTestService } from '../../testing/test-service.ts'
import { startTestIndexer } from '../testing/indexer.ts'
import { registerWorld } from '../testing/naive.ts'
import { PATIENT_RPC } from '../testing/test-rpc.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const SOL = 1_000_000_000n
const timeout = 60_000
/** Looks often, so that tests need not wait. */
const limits = { tradesPerSecond: 300, tradesMs: 300, tradesAliveMs: 500 }

const SLUGS = new Set(['pocket-owl', 'harbour-cat', 'driftwood', 'full-house', 'moss'])
const launchesOf = () => {
  const { launches } = demo.chainOf().world
  const sales = launches.filter(({ plan }) => plan.mechanic !== 'bondingCurveV2').slice(0, 4)
  return [...launches.filter(({ entry }) => SLUGS.has(entry.slug)), ...sales]
}
const expected = () => listTradesOf(demo.chainOf().local.chain, launchesOf())

async function prepare() {
  const { connection, database } = await createTestDatabase()
  await registerWorld(database, network, launchesOf(), new Date())
  const { rpcUrl, wsUrl } = demo.chainOf().local
  const start = (more: Partial<Parameters<typeof startTestIndexer>[0]> = {}) =>
    startTestIndexer({ connection, rpcUrl, wsUrl, limits, rpcLimits: PATIENT_RPC, ...more })
  return { connection, database, start }
}

/** One trade of each kind that the demo's market knows. */
function trade(round: number): number {
  const { local } = demo.chainOf()
  const market = marketTrades(local.chain, 'mainnet')
  let count = 0
  for (const launch of launchesOf()) {
    if (market.tradeInPool(launch, round, SOL, round % 2 === 1)) count += 1
    else if (launch.plan.mechanic === 'bondingCurveV2' && !market.isSoldOut(launch)) {
      market.buyOnCurve(launch, round, SOL)
      market.sellOnCurve(launch, round)
      count += 2
    }
  }
  return count
}

/** Why the trades of launches are incomplete. */
async function reasonsIn(database: Database) {
  const states = await Promise.all(
    launchesOf().map(({ genesisAddress }) => readTradesProgress(database, network, genesisAddress)),
  )
  expect(states.every(({ complete, reason }) => complete === (reason === null))).toBe(true)
  return new Set(states.map(({ reason }) => reason))
}
const COMPLETE = new Set([null])
const LACKING = new Set(['The RPC endpoints do not return all transactions of this launch.'])

test('an index that was running, stopped and started again has the same trades as a fresh one, and as the chain', async () => {
  const running = await prepare()
  const first = running.start()
  await expect.poll(() => readStored(running.database), { timeout }).toEqual(expected())
  expect(trade(1)).toBeGreaterThan(4)
  await expect.poll(() => readStored(running.database), { timeout }).toEqual(expected())
  await first.stop()
  trade(2)
  running.start()
  trade(3)
  const fresh = await prepare()
  fresh.start()
  trade(4)
  for (const { database } of [running, fresh]) {
    await expect.poll(() => readStored(database), { timeout }).toEqual(expected())
    await expect.poll(() => reasonsIn(database), { timeout }).toEqual(COMPLETE)
  }
})

const acceptsVersion1 = CONDITIONS.transactionVersions.includes(1)

test.runIf(acceptsVersion1)(
  'a purchase that the official client sends as version 1 is listed like any other',
  async () => {
    const { local } = demo.chainOf()
    const { connection, database } = await prepare()
    const launch = launchesOf().find(({ entry }) => entry.slug === 'pocket-owl') as WorldLaunch
    const umi = wallet(local)
    const owner = umi.payer.publicKey
    const accountOf = (mint: Address) =>
      publicKey(associatedTokenAddress(mint, asAddress(owner), TOKEN_PROGRAM))
    const [quote, base] = [accountOf(WRAPPED_NATIVE_MINT), accountOf(launch.mint)]
    const sent = await transactionBuilder()
      .add(createAssociatedToken(umi, { mint: publicKey(WRAPPED_NATIVE_MINT), owner }))
      .add(transferSol(umi, { destination: quote, amount: lamports(SOL) }))
      .add(syncNative(umi, { account: quote }))
      .add(
        swapBondingCurveV2(umi, {
          genesisAccount: publicKey(launch.genesisAddress),
          bucket: publicKey(launch.addresses.primary),
          baseMint: publicKey(launch.mint),
          baseTokenAccount: base,
          quoteTokenAccount: quote,
          swapDirection: SwapDirection.Buy,
          amount: SOL,
          minAmountOutScaled: 0n,
        }),
      )
      .useV1()
      .setTransactionConfig({ computeUnitLimit: 400_000 })
      .send(umi)
    const signature = getBase58Decoder().decode(sent)
    expect(local.chain.history.get(signature)).toMatchObject({ err: null })
    const { url } = await startTestService({
      connection,
      config: { ...demo.config(), indexer: true, tradesPerSecond: 300 },
      limits: { indexer: { tradesMs: 300, tradesAliveMs: 500 } },
    })
    const bought = async () => (await readStored(database)).filter(line => line.includes(signature))
    await expect.poll(bought, { timeout }).toHaveLength(1)
    expect(await bought()).toEqual([expect.stringMatching(` buy ${owner} +\\d+ ${SOL} `)])
    await expect.poll(() => reasonsIn(database), { timeout }).toEqual(COMPLETE)
    expect(await readStored(database)).toEqual(expected())

    const get = async (path: string) => (await getJson(`${url}${path}`)).body
    const path = `/v1/launches/${launch.genesisAddress}`
    const ofPurchase = { signature, kind: 'buy', wallet: owner, quoteAmount: `${SOL}` }
    await expect
      .poll(() => get(`${path}/trades`), { timeout })
      .toMatchObject({
        data: { complete: true, trades: expect.arrayContaining([expect.objectContaining(ofPurchase)]) },
      })
    const { data } = await get(`${path}/candles?interval=1m`)
    expect(data.complete).toBe(true)
    expect(BigInt(data.candles.at(-1).volumeQuote)).toBeGreaterThanOrEqual(SOL)
    const amount = `${decodeTokenAccount(local.chain.account(asAddress(base)))?.amount}`
    const holder = expect.objectContaining({ owner, amount })
    expect((await get(`${path}/holders`)).data.holders).toEqual(expect.arrayContaining([holder]))
    await expect
      .poll(() => get(`/v1/wallets/${owner}`).then(text => JSON.stringify(text)), { timeout })
      .toContain(launch.genesisAddress)
  },
)

test('an endpoint that does not know getTransaction still serves the rest of the index', async () => {
  const answer = { status: 200, body: { error: { code: -32601, message: 'Method not found' } } }
  const { local } = demo.chainOf()
  const { database, start } = await prepare()
  const proxy = await startRpcProxy(local.rpcUrl)
  proxy.behave = method => (method === 'getTransaction' ? answer : undefined)
  const { events } = start({ rpcUrl: proxy.url })
  await expect.poll(() => proxy.count('getTransaction'), { timeout }).toBeGreaterThan(0)
  await expect.poll(() => events.includes('complete'), { timeout }).toBe(true)
  await expect.poll(() => reasonsIn(database), { timeout }).toContain([...LACKING][0])
  expect(await readStored(database)).toEqual([])
  expect(events.filter(event => event.startsWith('fault'))).toEqual([])
})

test('a service says how many launches it has read, and counts trades and requests', async () => {
  const service = await startTestService({
    config: { ...demo.config(), indexer: true, tradesPerSecond: 300 },
    limits: { indexer: { tradesMs: 300 } },
  })
  await registerWorld(service.database, network, launchesOf(), new Date())
  const read = async (path: string) => (await fetch(`${service.url}${path}`)).text()
  const count = launchesOf().length
  await expect
    .poll(() => read('/readyz'), { timeout })
    .toContain(`trades chain-mainnet: ok, complete for ${count} of ${count} launches`)
  // A turn is counted when it has ended, which may be after its trades can be read.
  await expect
    .poll(() => read('/metrics'), { timeout })
    .toContain(`slipway_trades_stored_total{network="chain-mainnet"} ${expected().length}\n`)
  await expect
    .poll(() => read('/metrics'), { timeout })
    .toContain('slipway_trades_launches_behind{network="chain-mainnet"} 0')
  expect(await read('/metrics')).toMatch(/slipway_trades_rpc_requests_total\{network="chain-mainnet"\} [1-9]/)
})

test('with a budget of 0, no transaction is read and trades are incomplete', async () => {
  const { local } = demo.chainOf()
  const { database, start } = await prepare()
  const proxy = await startRpcProxy(local.rpcUrl)
  const { events } = start({ rpcUrl: proxy.url, limits: { ...limits, tradesPerSecond: 0 } })
  await expect.poll(() => events.includes('complete'), { timeout }).toBe(true)
  expect(await reasonsIn(database)).toEqual(new Set(['Trades are not being read at the moment.']))
  expect(proxy.count('getTransaction')).toBe(0)
})
