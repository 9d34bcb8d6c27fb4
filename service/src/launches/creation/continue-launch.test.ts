import {
  type CreateLaunchInput,
  findBondingCurveBucketV2Pda,
  findGenesisAccountV2Pda,
  initializeV2,
  SwapDirection,
  swapBondingCurveV2,
  WRAPPED_SOL_MINT,
} from '@metaplex-foundation/genesis'
import { mintAndSubmitAgent } from '@metaplex-foundation/mpl-agent-registry'
import {
  createAssociatedToken,
  findAssociatedTokenPda,
  mplToolbox,
  syncNative,
  transferSol,
} from '@metaplex-foundation/mpl-toolbox'
import { generateSigner, publicKey, sol } from '@metaplex-foundation/umi'
import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { Keypair } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { startChain } from '@slipway/local-chain/testing/start-chain'
import { mustSend, send } from '@slipway/local-chain/testing/umi-wallet'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { configOf, fundedWallet, type Json, land, mintBody, SOL, umiOf } from '../../agents/test-mints.ts'
import { postJson } from '../../testing/demo-launches.ts'
import { startTestService } from '../../testing/test-service.ts'
import { changed, curveInput, payloadOf, poolInput } from './test-launches.ts'

async function start() {
  const local = await startChain()
  const { url } = await startTestService({ config: configOf(local) })
  const wallet = fundedWallet(local)
  const create = (payload: Json) => postJson(`${url}/v1/launches/create`, payload)
  const withAgent = async (wallet: Keypair) => {
    const minted = await mintAndSubmitAgent(umiOf(local, wallet), { baseUrl: url }, mintBody(wallet.address))
    const mint = publicKey(minted.assetAddress)
    return { agent: { mint, setToken: true }, agentWallet: assetSignerAddress(mint as string as Address) }
  }
  return { local, url, wallet, create, withAgent }
}

test('a creation that is interrupted after any of its transactions is completed with genesisAccount, and no stranger can buy before the first buy', async () => {
  const { local, url, create, withAgent } = await start()
  const stranger = umiOf(local, fundedWallet(local)).use(mplToolbox())
  const quote = findAssociatedTokenPda(stranger, {
    mint: WRAPPED_SOL_MINT,
    owner: stranger.identity.publicKey,
  })[0]
  const wrap = createAssociatedToken(stranger, { mint: WRAPPED_SOL_MINT })
    .add(transferSol(stranger, { destination: quote, amount: sol(5) }))
    .add(syncNative(stranger, { account: quote }))
  await mustSend(local, stranger, wrap)
  const buy = async ({ genesisAccount, mintAddress }: Json, amount: bigint) => {
    const bucket = findBondingCurveBucketV2Pda(stranger, { genesisAccount, bucketIndex: 0 })[0]
    const common = { genesisAccount, bucket, baseMint: mintAddress, swapDirection: SwapDirection.Buy }
    const swap = swapBondingCurveV2(stranger, { ...common, amount, minAmountOutScaled: 0 })
    return (await send(local, stranger, swap)).err
  }
  const bought = { firstBuyAmount: 0.1 }
  await Promise.all([
    interrupt(async ({ address }) => poolInput(address)),
    interrupt(async ({ address }) => curveInput(address, bought)),
    interrupt(async wallet => poolInput(wallet.address, {}, await withAgent(wallet))),
    interrupt(async wallet => curveInput(wallet.address, bought, await withAgent(wallet))),
  ])

  /** Sends only the first of the transactions, and asks again, until none is left. */
  async function interrupt(inputOf: (wallet: Keypair) => Promise<CreateLaunchInput>) {
    const wallet = fundedWallet(local)
    const payload = payloadOf(await inputOf(wallet))
    const first = await create(payload)
    const answers = [first]
    const purchases: unknown[] = []
    const { genesisAccount, mintAddress } = first.body
    for (let [tx] = first.body.transactions; tx; tx = answers.at(-1)?.body.transactions[0]) {
      expect(await land(local, { tx }, wallet)).toBeNull()
      // The amount differs each time, because the same transaction would not be executed again.
      purchases.push(await buy(first.body, SOL + BigInt(purchases.length)))
      answers.push(await create({ ...payload, genesisAccount }))
    }
    // Steps that are done are not built again.
    expect(
      answers.map(({ body }) => [body.genesisAccount, body.mintAddress, body.transactions.length]),
    ).toEqual(answers.map((_, at) => [genesisAccount, mintAddress, answers.length - 1 - at]))
    if (payload.launch.type === 'bondingCurve')
      expect(purchases.map(error => error === null)).toEqual(
        answers.slice(1).map((_, at) => at === answers.length - 2),
      )
    const { body } = await postJson(`${url}/v1/launches/register`, { ...payload, genesisAccount })
    expect(body).toMatchObject({ success: true, existing: false })
  }
})

test('after its deposits have ended, only a launch that is finalized gets the rest of its transactions', async () => {
  const { local, wallet, create, withAgent } = await start()
  const payload = payloadOf(poolInput(wallet.address, {}, await withAgent(wallet)))
  const path = 'launch.allocations.0.launchpoolV2.depositEndCondition'
  const ended = changed(payload, `${path}.timestamp`, new Date(Date.now() + 5_000).toISOString())
  const {
    body: { genesisAccount, transactions },
  } = await create(ended)
  const last = transactions.pop()
  const finalizing = transactions.pop()
  for (const tx of transactions) expect(await land(local, { tx }, wallet)).toBeNull()
  // The database's clock decides, which a test can't set.
  await expect
    .poll(() => create({ ...ended, genesisAccount }), { timeout: 30_000, interval: 500 })
    .toMatchObject({ status: 400, body: { details: [{ path, message: 'must be in the future' }] } })
  expect(await land(local, { tx: finalizing }, wallet)).toBeNull()
  const rest = await create({ ...ended, genesisAccount })
  expect(rest).toMatchObject({ status: 200, body: { transactions: [expect.any(String)] } })
  expect(rest.body.transactions[0]).toHaveLength(last.length)
  expect(await land(local, { tx: rest.body.transactions[0] }, wallet)).toBeNull()
})

test('a launch is continued only with its original data, and only for its authority', async () => {
  const { local, wallet, create } = await start()
  const payload = payloadOf(poolInput(wallet.address))
  const { body } = await create(payload)
  const { genesisAccount } = body
  expect(await create({ ...payload, genesisAccount })).toMatchObject({
    status: 400,
    body: { error: 'Genesis account not found', details: [{ path: 'genesisAccount' }] },
  })
  for (const tx of body.transactions.slice(0, 2)) expect(await land(local, { tx }, wallet)).toBeNull()
  const answer = async (path: string, value: unknown, begun: object = { ...payload, genesisAccount }) => {
    const { status, body } = await create(changed(begun, path, value))
    return { status, error: body.error, messages: body.details?.map(({ message }: Json) => message) }
  }
  const differs = (...names: string[]) => ({
    status: 400,
    error: 'Validation failed',
    messages: names.map(name => `is not the launch at genesisAccount: its ${name} differs`),
  })
  const document = 'document (name, symbol, image, description and links)'
  const pool = 'launch.allocations.0.launchpoolV2'
  expect(await answer('launch.name', 'Other')).toEqual(differs('name', document))
  expect(await answer('launch.image', 'https://images.example/other.png')).toEqual(differs(document))
  expect(await answer(`${pool}.depositEndCondition.timestamp`, '2100-01-01T00:00:00Z')).toEqual(
    differs('launch pool', 'extensions of the launch pool'),
  )
  for (const [field, value] of [
    ['minimumQuoteTokenThreshold', 3],
    ['depositBonus', undefined],
  ] as const)
    expect(await answer(`${pool}.${field}`, value)).toEqual(differs('extensions of the launch pool'))
  // In a token with other decimals, the amounts differ too.
  expect(await answer('launch.quoteMint', body.mintAddress)).toEqual(
    differs('authority, quote mint or supply', 'extensions of the launch pool'),
  )
  expect(await answer('genesisAccount', body.mintAddress)).toEqual({
    status: 400,
    error: 'Genesis account not found',
    messages: ['is not a launch'],
  })
  const umi = umiOf(local, wallet).use(mplToolbox())
  const baseMint = generateSigner(umi)
  const second = findGenesisAccountV2Pda(umi, { baseMint: baseMint.publicKey, genesisIndex: 1 })[0]
  const token = { name: 'A', symbol: 'A', uri: '', totalSupplyBaseToken: 1n, fundingMode: 0 }
  await mustSend(
    local,
    umi,
    initializeV2(umi, { ...token, baseMint, genesisIndex: 1, genesisAccount: second }),
  )
  expect(await answer('genesisAccount', second)).toEqual({
    status: 400,
    error: 'Validation failed',
    messages: ["was not created here: it is not its token's first launch"],
  })
  // A launch pool without any extensions.
  const plain = { depositBonus: null, withdrawPenalty: null, minimumQuoteTokenThreshold: null }
  const { launchpoolV2 } = payload.launch.allocations[0]
  expect(await answer(pool, { ...launchpoolV2, ...plain })).toEqual(differs('launch pool'))
  // A launch without its second unlocked bucket, which exists by now.
  expect(await land(local, { tx: body.transactions[2] }, wallet)).toBeNull()
  const fewer = changed(payload, 'launch.allocations', payload.launch.allocations.slice(0, 1))
  const supply = `${pool}.fundFlows.1.supply`
  expect(await answer(supply, 500_000_000, { ...fewer, genesisAccount })).toEqual(
    differs('number of buckets'),
  )
  const stranger = createKeypair().address
  const strangers = changed({ ...payload, genesisAccount, wallet: stranger }, 'launch.publicKey', stranger)
  expect(await create(strangers)).toMatchObject({
    status: 403,
    body: { error: 'Not authorized', details: [{ path: 'genesisAccount' }] },
  })
})

test("with the caller's own mint nothing is signed, and a creation that has not begun is continued", async () => {
  const { local, wallet, create } = await start()
  const mint = createKeypair()
  const payload = { ...payloadOf(curveInput(wallet.address)), mint: mint.address }
  const { body } = await create(payload)
  for (const tx of body.transactions) {
    const bytes = Buffer.from(tx, 'base64')
    const signers = bytes[0] as number
    expect(bytes.subarray(1, 1 + 64 * signers).every(byte => byte === 0)).toBe(true)
  }
  const again = await create({ ...payload, genesisAccount: body.genesisAccount })
  expect(again.body.transactions).toHaveLength(body.transactions.length)
  expect(await land(local, { tx: again.body.transactions[0] }, wallet, mint)).toBeNull()
  const message = 'exists already: continue its launch with genesisAccount, or use a fresh key'
  expect(await create(payload)).toMatchObject({ status: 400, body: { details: [{ path: 'mint', message }] } })
})
