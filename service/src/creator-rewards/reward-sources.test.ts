import { TOKEN_2022_PROGRAM } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { buildMint } from '@slipway/local-chain/testing/token-accounts'
import type { Address } from '@slipway/schema/address'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ServiceLimits } from '../app/limits.ts'
import { startTestChain, type TestChain } from '../chain/transactions/test-chain.ts'
import type { Config } from '../config.ts'
import { writeLaunches } from '../official-clients/launches-with-fees.ts'
import { saveFoundBuckets } from '../store/buckets.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { type RpcProxy, startRpcProxy } from '../testing/rpc-proxy.ts'
import { runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'
import { claim, getRewards, NO_REWARDS, postClaim, recordIndex } from './test-claims.ts'

const UNAVAILABLE = { status: 503, body: { error: { message: 'Service unavailable' } } }

let chain: TestChain
let rpc: RpcProxy
beforeEach(async () => {
  chain = await startTestChain()
  rpc = await startRpcProxy(chain.rpcUrl)
})

async function start(limits: Partial<ServiceLimits> = {}) {
  const config: Partial<Config> = { rpcUrls: { 'chain-mainnet': [rpc.url], 'chain-devnet': [] } }
  const service = await startTestService({ config, limits })
  const completeIndex = (isComplete = true) => recordIndex(service.connection, chain, isComplete)
  const inStore = async () =>
    (await runSql(service.connection, 'SELECT * FROM buckets ORDER BY address')).rows.map(
      ({ address, creator_fee_wallet }) => [address, creator_fee_wallet],
    )
  const remember = (buckets: [Address, 'bondingCurveV2' | 'raydiumCpmmV2'][], wallet: Address) =>
    saveFoundBuckets(
      service.database,
      buckets.map(([address, kind]) => ({
        network: 'chain-mainnet',
        address,
        kind,
        genesisAddress: address,
        creatorFeeWallet: wallet,
        slot: 1,
      })),
    )
  return { ...service, completeIndex, inStore, remember }
}

const reads = () => rpc.count('getMultipleAccounts')
const searches = () => rpc.count('getProgramAccounts')

describe('while the index is complete', () => {
  test('an unknown wallet costs no RPC call', async () => {
    const { url, completeIndex } = await start()
    await completeIndex()
    await expect.poll(() => rpc.count('getLatestBlockhash')).toBeGreaterThan(0)
    for (let times = 0; times < 10; times += 1) {
      const wallet = createKeypair().address
      expect(await postClaim(url, { wallet })).toEqual(NO_REWARDS)
      expect((await getRewards(url, wallet)).body).toEqual({ data: { wallet, buckets: [], totals: [] } })
    }
    expect([reads(), searches()]).toEqual([0, 0])
  })

  test('a claim costs one read of curve, pool and token account, one of what a collection may create, and concurrent claims share reads', async () => {
    const creator = createKeypair().address
    const [launch] = writeLaunches(chain, [
      { creator, curve: { accrued: 5n, claimed: 0n }, amm: { accrued: 6n, claimed: 2n, pool: 7n } },
    ])
    if (!launch) throw new Error('no launch')
    const { url, completeIndex, remember } = await start()
    await completeIndex()
    await remember(
      [
        [launch.primary, 'bondingCurveV2'],
        [launch.amm, 'raydiumCpmmV2'],
      ],
      creator,
    )
    expect((await claim(url, { wallet: creator })).transactions).toHaveLength(2)
    expect([reads(), searches()]).toEqual([2, 0])
    await Promise.all(Array.from({ length: 30 }, () => claim(url, { wallet: creator })))
    // A claim that arrives during a read shares the next one.
    expect(reads()).toBeLessThan(40)
  })

  test('the first claim in another quote token or from a pool without token programs costs another read; later claims do not', async () => {
    const creator = createKeypair().address
    const quote = { mint: createKeypair().address, program: TOKEN_2022_PROGRAM }
    const rent = chain.chain.vm.rentExemptMinimum
    const mint = { ...buildMint(undefined, 1n, 6, rent), owner: TOKEN_2022_PROGRAM }
    chain.chain.writeAccounts(new Map([[quote.mint, mint]]))
    const [first, second] = writeLaunches(chain, [
      { creator, curve: { accrued: 5n, claimed: 0n }, quote },
      { creator, amm: { accrued: 0n, claimed: 0n, pool: 9n, isBarePool: true } },
    ])
    if (!first || !second) throw new Error('no launches')
    const { url, completeIndex, remember } = await start()
    await completeIndex()
    await remember([[first.primary, 'bondingCurveV2']], creator)
    await remember([[second.amm, 'raydiumCpmmV2']], creator)
    for (const expected of [3, 5, 7]) {
      expect((await claim(url, { wallet: creator })).transactions).toHaveLength(2)
      expect(reads()).toBe(expected)
    }
  })

  test('a chain that lacks indexed buckets is reported, because it makes claims unavailable', async () => {
    const creator = createKeypair().address
    const { url, metrics, completeIndex, remember } = await start()
    await completeIndex()
    await remember([[createKeypair().address, 'bondingCurveV2']], creator)
    const readLine = async () => {
      const { status, text } = await rawRequest(url, '/readyz')
      return [status, text.split('\n').find(line => line.startsWith('rpc chain-mainnet:'))]
    }
    for (let times = 1; times <= 2; times += 1) {
      expect(await postClaim(url, { wallet: creator })).toEqual(UNAVAILABLE)
      const text = await metrics.registry.metrics()
      expect(text).toContain(`slipway_rewards_withheld_total{network="chain-mainnet"} ${times}\n`)
    }
    // Only some requests need those accounts, so the node stays ready.
    await expect
      .poll(readLine)
      .toEqual([200, expect.stringMatching(/, indexed accounts are missing: creator rewards return 503$/)])
  })

  test('the chain decides which wallet a bucket pays and whether it exists', async () => {
    const [creator, stranger] = [createKeypair().address, createKeypair().address]
    const [launch] = writeLaunches(chain, [{ creator, curve: { accrued: 5n, claimed: 0n } }])
    if (!launch) throw new Error('no launch')
    const { url, completeIndex, remember } = await start()
    await completeIndex()
    await remember([[launch.primary, 'bondingCurveV2']], stranger)
    await remember([[launch.genesis, 'bondingCurveV2']], stranger)
    await remember([[launch.mint, 'raydiumCpmmV2']], stranger)
    await remember([[createKeypair().address, 'raydiumCpmmV2']], stranger)
    expect(await postClaim(url, { wallet: stranger })).toEqual(NO_REWARDS)
    expect((await getRewards(url, stranger)).body).toMatchObject({ data: { buckets: [] } })
  })
})

describe('while the index is not complete', () => {
  test("an RPC's first answer may be as far ahead of the index as the index is old", async () => {
    const creator = createKeypair().address
    writeLaunches(chain, [{ creator, curve: { accrued: 5n, claimed: 0n } }])
    // Otherwise the service learns the chain's slot from its blockhash.
    rpc.behave = method => (method === 'getLatestBlockhash' ? 'hang' : undefined)
    const { url, connection } = await start()
    await runSql(
      connection,
      `INSERT INTO chain_progress (network, slot, updated_at)
       VALUES ('chain-mainnet', ${chain.chain.slotAt('confirmed')}, now() - interval '1 hour')`,
    )
    chain.skip(60_000)
    const { status, body } = await getRewards(url, creator)
    expect([status, body]).toMatchObject([200, { data: { totals: [{ claimable: '5' }] } }])
  })

  test('the chain is searched at the offsets of the wallet, for addresses only, and the results are stored', async () => {
    const creator = createKeypair().address
    const [launch] = writeLaunches(chain, [
      { creator, curve: { accrued: 5n, claimed: 0n }, amm: { accrued: 6n, claimed: 2n } },
      { creator: createKeypair().address, curve: { accrued: 1n, claimed: 0n } },
    ])
    const { url, completeIndex, inStore } = await start()
    const { transactions } = await claim(url, { wallet: creator })
    expect(transactions).toHaveLength(2)
    const asked = rpc.calls.filter(({ method }) => method === 'getProgramAccounts')
    const options = asked.map(({ params }) => params[1] as { filters: unknown[]; dataSlice: object })
    expect(options.map(({ dataSlice }) => dataSlice)).toEqual(Array(2).fill({ offset: 0, length: 0 }))
    expect(new Set(options.map(({ filters }) => JSON.stringify(filters)))).toEqual(
      new Set(
        [
          { first: 25, offset: 576 },
          { first: 22, offset: 888 },
        ].map(({ first, offset }) =>
          JSON.stringify([
            { memcmp: { offset: 0, bytes: Buffer.of(first).toString('base64'), encoding: 'base64' } },
            { memcmp: { offset, bytes: creator } },
          ]),
        ),
      ),
    )
    expect(reads()).toBe(1)
    await expect
      .poll(inStore)
      .toEqual([launch?.primary, launch?.amm].sort().map(address => [address, creator]))
    // Without the search, the result is the same from now on.
    await completeIndex()
    expect((await claim(url, { wallet: creator })).transactions).toHaveLength(2)
    expect(searches()).toBe(2)
  })

  test('claims of random wallets beyond the budget get 429, never an empty result', async () => {
    const { url } = await start()
    const answers = await Promise.all(
      Array.from({ length: 120 }, () =>
        fetch(`${url}/v1/creator-rewards/claim`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ wallet: createKeypair().address }),
        }),
      ),
    )
    const limited = answers.filter(({ status }) => status === 429)
    expect(limited.length).toBeGreaterThan(30)
    expect(searches()).toBe(2 * (answers.length - limited.length))
    expect(await limited[0]?.json()).toEqual({ error: { message: 'Too many requests' } })
    expect(limited[0]?.headers.get('retry-after')).toBe('1')
  })

  test('an RPC that refuses searches is asked once, and the store decides alone', async () => {
    const refusal = { status: 403, body: 'not in your plan' }
    const creator = createKeypair().address
    const [launch] = writeLaunches(chain, [{ creator, curve: { accrued: 5n, claimed: 0n } }])
    if (!launch) throw new Error('no launch')
    rpc.behave = method => (method === 'getProgramAccounts' ? refusal : undefined)
    const { url, remember, metrics } = await start()
    for (let times = 0; times < 5; times += 1)
      expect(await postClaim(url, { wallet: createKeypair().address })).toEqual(NO_REWARDS)
    expect(searches()).toBe(2)
    await remember([[launch.primary, 'bondingCurveV2']], creator)
    expect((await claim(url, { wallet: creator })).transactions).toHaveLength(1)
    expect(await metrics.registry.getSingleMetricAsString('slipway_bucket_searches_total')).toContain(
      'outcome="refused"} 1',
    )
  })

  test('if the search fails, known buckets can be claimed, and an unknown wallet gets 503', async () => {
    const creator = createKeypair().address
    const [launch] = writeLaunches(chain, [{ creator, curve: { accrued: 5n, claimed: 0n } }])
    if (!launch) throw new Error('no launch')
    rpc.behave = method => (method === 'getProgramAccounts' ? { status: 503, body: 'busy' } : undefined)
    const { url, remember } = await start({ rpc: { restMsMin: 50 } })
    expect(await postClaim(url, { wallet: creator })).toEqual(UNAVAILABLE)
    expect((await getRewards(url, creator)).status).toBe(503)
    await remember([[launch.primary, 'bondingCurveV2']], creator)
    await expect
      .poll(async () => (await postClaim(url, { wallet: creator })).status, { timeout: 20_000 })
      .toBe(200)
  })
})
