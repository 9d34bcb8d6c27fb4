import {
  associatedTokenAddress,
  bucketSignerAddress,
  raydiumSignerAddress,
} from '@slipway/launch-model/addresses'
import { writeAddress } from '@slipway/launch-model/bytes/base58'
import { decode } from '@slipway/launch-model/bytes/codec'
import { bondingCurve } from '@slipway/launch-model/kinds/bonding-curve'
import { poolLayout } from '@slipway/launch-model/pool-state'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { ChainAccount, Keypair, LocalChain, World } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import {
  createAssociatedAccount,
  createMint,
  createMintWithMetadata,
} from '@slipway/local-chain/testing/token-accounts'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import { submit } from '@slipway/local-chain/world/submit'
import type { Address } from '@slipway/schema/address'
import { VersionedTransaction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { claimedBucket, decodeTransaction } from '../../../site/src/transactions/decode-transaction.ts'
import { readFacts } from '../../../site/src/transactions/facts.ts'
import { reviewTransactions } from '../../../site/src/transactions/review.ts'
import { land } from '../agents/test-mints.ts'
import {
  hookTo,
  NON_TRANSFERABLE,
  pausable,
  TRANSFER_FEE,
  tokenWriter,
} from '../agents/wallet/test-tokens.ts'
import { startTestChain } from '../chain/transactions/test-chain.ts'
import { tokensOf, writeLaunches } from '../official-clients/launches-with-fees.ts'
import { useDemo } from '../testing/demo.ts'
import { demoWallet } from '../testing/demo-launches.ts'
import { signAndSend } from '../testing/sign-and-send.ts'
import { runSql } from '../testing/test-database.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'
import { claim, NO_REWARDS, postClaim } from './test-claims.ts'

const world = useDemo()
// All tests together claim more often than one client may search.
const service = useTestService(() => ({ config: world.config(), limits: { search: { burst: 1_000 } } }))
const local = () => world.chainOf().local
const lamports = (address: Address) => local().chain.account(address)?.lamports ?? 0n
const FEE = 5_000n

const rich = () => demoWallet(world)

function reward(buckets: number) {
  const found = world.chainOf().world.rewards.find(({ buckets: { length } }) => length === buckets)
  if (!found) throw new Error(`no wallet has ${buckets} buckets`)
  return found
}

type DemoLaunch = World['launches'][number]

/** Adds fees to a curve that has ended, or that must earn exactly these. */
function earnOnCurve({ addresses: { primary } }: DemoLaunch, fees: bigint): void {
  const { chain } = local()
  const add = (address: Address, at: number, lamports: bigint): [Address, ChainAccount] => {
    const account = chain.account(address) as ChainAccount
    const data = Uint8Array.from(account.data)
    const view = new DataView(data.buffer)
    view.setBigUint64(at, view.getBigUint64(at, true) + fees, true)
    return [address, { ...account, lamports: account.lamports + lamports, data }]
  }
  const wrapped = associatedTokenAddress(WRAPPED_NATIVE_MINT, primary, TOKEN_PROGRAM)
  const AMOUNT_AT = 64
  chain.writeAccounts(
    new Map([
      add(primary, bondingCurve.layout.offsetOf('creatorFeeAccrued'), 0n),
      add(wrapped, AMOUNT_AT, fees),
    ]),
  )
}

function feesInPool({ chain }: LocalChain, { addresses: { pool } }: DemoLaunch): bigint {
  const found = decode(poolLayout, chain.account(pool)?.data as Uint8Array)
  return found.mint0 === WRAPPED_NATIVE_MINT ? found.creatorFees0 : found.creatorFees1
}

describe('the wallets of the demo', () => {
  test.each([
    { buckets: 1, library: 'web3.js', payer: 'the wallet', total: 420_000_000n },
    { buckets: 2, library: 'Umi', payer: 'another wallet', total: 1_640_000_000n },
    {
      buckets: 5,
      library: 'kit',
      payer: 'the wallet',
      total: 900_000_000n + 275_000_000n + 55_000_000n + 1_800_000_000n + 30_000_000n,
    },
  ] as const)(
    'with $buckets buckets, signed with $library and paid for by $payer, pass the page’s review and are paid exactly, and then have no rewards',
    async ({ buckets, library, payer, total }) => {
      const { wallet, buckets: addresses } = reward(buckets)
      const pools = new Set(world.chainOf().world.launches.map(({ addresses: { amm } }) => amm))
      const ofWallet = addresses.filter(address => pools.has(address))
      const signer = payer === 'the wallet' ? wallet : rich()
      const url = service().url
      expect(tokensOf(local(), wallet.address)).toBeUndefined()
      const before = { signer: lamports(signer.address), wallet: lamports(wallet.address) }
      // The program's own account for fees collected from a pool, which the first collection creates.
      const missing = ofWallet.filter(amm => tokensOf(local(), bucketSignerAddress(amm)) === undefined).length
      const built = await claim(url, { wallet: wallet.address, payer: signer.address })
      expect(built.transactions).toHaveLength(buckets)
      for (const transaction of built.transactions) {
        const wire = Uint8Array.from(Buffer.from(transaction, 'base64'))
        const place = {
          rpcUrl: local().rpcUrl,
          network: 'chain-mainnet' as const,
          signal: AbortSignal.timeout(60_000),
        }
        const intent = { kind: 'claim' as const, wallet: wallet.address }
        const claimed = claimedBucket(decodeTransaction(wire))
        const facts = await readFacts(place, intent, signer.address, claimed ? [claimed] : [])
        await reviewTransactions([wire], intent, signer.address, facts)
        await signAndSend[library](local(), { transaction, blockhash: built.blockhash }, signer)
      }
      expect(tokensOf(local(), wallet.address)).toBe(total)
      const spent = before.signer - lamports(signer.address)
      expect(spent).toBe(
        BigInt(buckets) * FEE + BigInt(1 + missing) * local().chain.vm.rentExemptMinimum(165),
      )
      const { fees, rentsNow } = built.costs.payer
      expect(BigInt(fees) + BigInt(rentsNow)).toBe(spent)
      if (signer !== wallet) expect(lamports(wallet.address)).toBe(before.wallet)
      expect(await postClaim(url, { wallet: wallet.address })).toEqual(NO_REWARDS)
    },
  )

  test('can claim new fees of curve and pool at once', async () => {
    const { wallet, buckets } = reward(2)
    const launch = world.chainOf().world.launches.find(({ addresses }) => addresses.primary === buckets[0])
    if (!launch) throw new Error('no launch')
    const url = service().url
    const payer = rich()
    const claimAll = async () => {
      const built = await claim(url, { wallet: wallet.address, payer: payer.address })
      for (const transaction of built.transactions)
        await signAndSend['web3.js'](local(), { transaction, ...built }, payer)
      return built.transactions.length
    }
    await claimAll().catch(() => {})
    expect(await postClaim(url, { wallet: wallet.address })).toEqual(NO_REWARDS)
    const before = tokensOf(local(), wallet.address) ?? 0n
    earnOnCurve(launch, 7_000_000n)
    expect(await claimAll()).toBe(1)
    expect(tokensOf(local(), wallet.address)).toBe(before + 7_000_000n)
    marketTrades(local().chain, 'mainnet').tradeInPool(launch, 0, 900_000_000n)
    const inPool = feesInPool(local(), launch)
    expect(inPool).toBeGreaterThan(0n)
    earnOnCurve(launch, 1n)
    expect(await claimAll()).toBe(2)
    expect(tokensOf(local(), wallet.address)).toBe(before + 7_000_001n + inPool)
    expect(await postClaim(url, { wallet: wallet.address })).toEqual(NO_REWARDS)
  })

  test('get the documented error if everything is claimed or no bucket pays them', async () => {
    const url = service().url
    const spent = world.chainOf().world.rewards.find(({ note }) => note === 'everything has been claimed')
    expect(await postClaim(url, { wallet: spent?.wallet.address })).toEqual(NO_REWARDS)
    expect(await postClaim(url, { wallet: createKeypair().address })).toEqual(NO_REWARDS)
    expect(NO_REWARDS.body).toEqual({ error: { message: 'No rewards available to claim' } })
  })

  test('can claim on devnet, where pools belong to another program', async () => {
    const { local, world: devnet } = world.chainOf('chain-devnet')
    const one = devnet.rewards.find(({ buckets }) => buckets.length === 2)
    if (!one) throw new Error('no such wallet')
    const launch = devnet.launches.find(({ addresses }) => addresses.primary === one.buckets[0])
    if (!launch) throw new Error('no launch')
    marketTrades(local.chain, 'devnet').tradeInPool(launch, 0, 10_000_000n)
    const inPool = feesInPool(local, launch)
    expect(inPool).toBeGreaterThan(0n)
    const { url, connection } = await startTestService({ config: world.config() })
    const built = await claim(url, { wallet: one.wallet.address, network: 'chain-devnet' })
    expect(built.transactions).toHaveLength(2)
    const remembered = async () => (await runSql(connection, 'SELECT DISTINCT network FROM buckets')).rows
    await expect.poll(remembered, { timeout: 30_000 }).toEqual([{ network: 'chain-devnet' }])
    for (const transaction of built.transactions)
      await signAndSend.Umi(local, { transaction, ...built }, one.wallet)
    expect(tokensOf(local, one.wallet.address)).toBe(1_640_000_000n + inPool)
    expect(await postClaim(url, { wallet: one.wallet.address, network: 'solana-devnet' })).toEqual(NO_REWARDS)
  })
})

test('a claim that can cost its payer more than payerMax is refused, and the error says how much it can', async () => {
  const chain = await startTestChain()
  const [creator, payer] = [chain.wallet(), chain.wallet()]
  writeLaunches(chain, [
    { creator: creator.address, curve: { accrued: 9_000_000n, claimed: 0n } },
    { creator: creator.address, amm: { accrued: 5_000_000n, claimed: 0n, pool: 3_000_000n } },
  ])
  const { url } = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [chain.rpcUrl], 'chain-devnet': [] } },
  })
  for (const unwrap of [false, true]) {
    const request = { wallet: creator.address, payer: payer.address, unwrap }
    const { fees, rentsMax } = (await claim(url, request)).costs.payer
    const rent = chain.chain.vm.rentExemptMinimum(165)
    // The wallet can close its account between the two transactions; the pool's two accounts stay.
    expect(rentsMax).toBe(`${4n * rent}`)
    const most = BigInt(fees) + BigInt(rentsMax)
    expect(await postClaim(url, { ...request, payerMax: `${most - 1n}` })).toEqual({
      status: 400,
      body: {
        error: {
          message: 'This can cost the payer more than payerMax',
          code: 'PAYER_LIMIT',
          parameter: 'payerMax',
          allowed: `${most}`,
        },
      },
    })
    expect((await claim(url, { ...request, payerMax: `${most}` })).transactions).toHaveLength(2)
  }
})

test('an agent wallet, which has no key, is paid if another payer signs', async () => {
  const wallet = world.agent('tidewatch').wallet
  writeLaunches(local(), [
    { creator: wallet, curve: { accrued: 11n, claimed: 4n }, amm: { accrued: 5n, claimed: 0n, pool: 30n } },
  ])
  const payer = rich()
  const url = service().url
  const before = lamports(wallet)
  const built = await claim(url, { wallet, payer: payer.address })
  for (const transaction of built.transactions)
    await signAndSend.kit(local(), { transaction, ...built }, payer)
  expect(tokensOf(local(), wallet)).toBe(42n)
  expect(lamports(wallet)).toBe(before)
  expect(await postClaim(url, { wallet, payer: payer.address })).toEqual(NO_REWARDS)
})

test('without a payer, the derived wallet is the fee payer', async () => {
  const wallet = world.agent('patchbot').wallet
  writeLaunches(local(), [{ creator: wallet, curve: { accrued: 3n, claimed: 0n } }])
  const { transactions } = await claim(service().url, { wallet })
  const { message } = VersionedTransaction.deserialize(Buffer.from(transactions[0] as string, 'base64'))
  expect(message.staticAccountKeys[0]?.toBase58()).toBe(wallet)
})

test('transactions are unsigned, need only the signature of the payer, share one blockhash and come largest first', async () => {
  const creator = createKeypair().address
  const made = writeLaunches(local(), [
    { creator, curve: { accrued: 10n, claimed: 0n } },
    { creator, amm: { accrued: 7n, claimed: 7n, pool: 900n } },
    { creator, curve: { accrued: 5_000n, claimed: 4_950n } },
    { creator, curve: { accrued: 10n, claimed: 0n } },
    { creator, amm: { accrued: 0n, claimed: 0n, pool: 0n, poolBase: 77n } },
    { creator, amm: { accrued: 20n, claimed: 0n, pool: 0n, poolBase: 77n } },
  ])
  const url = service().url
  const payer = createKeypair().address
  const { transactions, blockhash } = await claim(url, { wallet: creator, payer })
  const messages = transactions.map(text => {
    const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(text, 'base64'))
    expect(signatures.map(signature => signature.every(byte => byte === 0))).toEqual([true])
    expect(message.header.numRequiredSignatures).toBe(1)
    expect(message.staticAccountKeys[0]?.toBase58()).toBe(payer)
    expect(message.recentBlockhash).toBe(blockhash.blockhash)
    return message
  })
  const equal = [made[0], made[3]].map(launch => launch?.primary as Address).sort()
  const named = messages.map(({ staticAccountKeys }) => {
    const keys = new Set(staticAccountKeys.map(key => key.toBase58()))
    return made.flatMap(({ primary, amm }) => [primary, amm]).find(address => keys.has(address))
  })
  expect(named).toEqual([made[1]?.amm, made[2]?.primary, made[5]?.amm, ...equal])
  // Create the account, collect, claim. A pool without quote fees is not collected from.
  expect(messages.map(({ compiledInstructions }) => compiledInstructions.length)).toEqual([3, 2, 2, 2, 2])
  const again = await claim(url, { wallet: creator, payer })
  const order = (list: string[]) =>
    list.map(text => Buffer.from(text, 'base64').subarray(68, 420).toString('hex'))
  expect(order(again.transactions)).toEqual(order(transactions))
})

test('quote tokens of both token programs are paid out, besides wrapped native currency', async () => {
  const maker = rich()
  const creator = createKeypair().address
  const rent = local().chain.vm.rentExemptMinimum
  const [spl, extended] = [createKeypair(), createKeypair()]
  const plan = (mint: Keypair) => ({ payer: maker.address, mint: mint.address, decimals: 6, rent })
  const land = (mint: Keypair, instructions: unknown) =>
    submit(local().chain, [maker, mint], instructions as Parameters<typeof submit>[2], {
      also: new Map(),
      named: [],
    })
  land(spl, createMint(plan(spl)))
  const metadata = { name: 'Quote', symbol: 'Q', uri: 'u' }
  land(extended, createMintWithMetadata(plan(extended), metadata))
  const of = (mint: Keypair, program: Address) => ({ mint: mint.address, program })
  writeLaunches(local(), [
    { creator, curve: { accrued: 100n, claimed: 0n } },
    { creator, curve: { accrued: 200n, claimed: 0n }, quote: of(spl, TOKEN_PROGRAM) },
    { creator, amm: { accrued: 300n, claimed: 0n, pool: 5n }, quote: of(spl, TOKEN_PROGRAM) },
    { creator, curve: { accrued: 400n, claimed: 0n }, quote: of(extended, TOKEN_2022_PROGRAM) },
    { creator, amm: { accrued: 500n, claimed: 0n, pool: 6n }, quote: of(extended, TOKEN_2022_PROGRAM) },
  ])
  const url = service().url
  const built = await claim(url, { wallet: creator, payer: maker.address })
  expect(built.transactions).toHaveLength(5)
  for (const transaction of built.transactions)
    await signAndSend['web3.js'](local(), { transaction, ...built }, maker)
  expect(tokensOf(local(), creator)).toBe(100n)
  expect(tokensOf(local(), creator, spl.address, TOKEN_PROGRAM)).toBe(505n)
  expect(tokensOf(local(), creator, extended.address, TOKEN_2022_PROGRAM)).toBe(906n)
  expect(await postClaim(url, { wallet: creator })).toEqual(NO_REWARDS)
})

test.each([
  ['no extension', []],
  ['a transfer fee', [TRANSFER_FEE]],
  ['a mark that it never moves', [NON_TRANSFERABLE]],
  ['a transfer hook', [hookTo(undefined)]],
  ['all of them', [TRANSFER_FEE, NON_TRANSFERABLE, hookTo(undefined), pausable(false)]],
])(
  'a claim of Token-2022 tokens with %s counts the accounts that the chain would create',
  async (_, extensions) => {
    const [payer, creator] = [rich(), createKeypair().address]
    const mint = tokenWriter(local()).mint({ extensions })
    const quote = { mint, program: TOKEN_2022_PROGRAM }
    const [launch] = writeLaunches(local(), [
      { creator, amm: { accrued: 9n, claimed: 0n, pool: 7n, poolBase: 5n }, quote },
    ])
    if (!launch) throw new Error('no launch')
    // The launch's token has the same extensions, and nothing was collected before.
    const { chain } = local()
    const accountAt = (address: Address) => chain.account(address) as ChainAccount
    const data = Uint8Array.from(accountAt(launch.pool).data)
    for (const at of [232, 264]) writeAddress(TOKEN_2022_PROGRAM, data, at)
    const held = associatedTokenAddress(mint, launch.ammSigner, TOKEN_2022_PROGRAM)
    chain.writeAccounts(
      new Map([
        [launch.mint, accountAt(mint)],
        [launch.pool, { ...accountAt(launch.pool), data }],
        [held, { ...accountAt(held), lamports: 0n, data: new Uint8Array() }],
      ]),
    )
    const { costs } = await claim(service().url, { wallet: creator, payer: payer.address })
    const opened = [
      [mint, creator],
      [mint, launch.ammSigner],
      [launch.mint, raydiumSignerAddress()],
    ] as const
    let rents = 0n
    for (const [of, owner] of opened) {
      const account = associatedTokenAddress(of, owner, TOKEN_2022_PROGRAM)
      const open = createAssociatedAccount(payer.address, owner, of, TOKEN_2022_PROGRAM)
      submit(chain, [payer], [open], { also: new Map(), named: [] })
      rents += lamports(account)
    }
    expect(costs.payer).toMatchObject({ rentsNow: `${rents}`, rentsMax: `${rents}` })
  },
)

test('an old bucket that does not name its mints is paid like any other', async () => {
  const payer = rich()
  const creator = createKeypair().address
  writeLaunches(local(), [
    {
      creator,
      curve: { accrued: 8n, claimed: 0n },
      amm: { accrued: 1n, claimed: 0n, pool: 40n },
      withoutMints: true,
    },
  ])
  const built = await claim(service().url, { wallet: creator, payer: payer.address })
  expect(built.transactions).toHaveLength(2)
  for (const transaction of built.transactions)
    await signAndSend['web3.js'](local(), { transaction, ...built }, payer)
  expect(tokensOf(local(), creator)).toBe(49n)
})

test('a token account is created even if its address already holds money', async () => {
  const payer = rich()
  const creator = createKeypair().address
  writeLaunches(local(), [{ creator, curve: { accrued: 8n, claimed: 0n } }])
  local().airdrop(associatedTokenAddress(WRAPPED_NATIVE_MINT, creator, TOKEN_PROGRAM), 1_000_000n)
  const built = await claim(service().url, { wallet: creator, payer: payer.address })
  await signAndSend['web3.js'](local(), { transaction: built.transactions[0] as string, ...built }, payer)
  expect(tokensOf(local(), creator)).toBe(8n)
})

test('a claim that is unwrapped arrives as SOL, leaves a wrapped account as it was, and costs its payer the fee alone', async () => {
  const claimUnwrapped = async (payer: Keypair, creator: Keypair) => {
    writeLaunches(local(), [
      { creator: creator.address, amm: { accrued: 900n, claimed: 100n, pool: 4_000_000n } },
    ])
    const before = [payer, creator].map(({ address }) => lamports(address))
    const held = tokensOf(local(), creator.address)
    const ask = { wallet: creator.address, payer: payer.address, unwrap: true }
    const { transactions, costs } = await claim(service().url, ask)
    const signers = payer === creator ? [creator] : [payer, creator]
    expect(await land(local(), { tx: transactions[0] }, ...signers)).toBeNull()
    expect(tokensOf(local(), creator.address)).toBe(held)
    const [spent, gained] = [payer, creator].map(({ address }, at) => lamports(address) - (before[at] ?? 0n))
    return { spent, gained, costs: BigInt(costs.payer.fees) + BigInt(costs.payer.rentsNow) }
  }
  const [payer, creator, holder] = [rich(), rich(), rich()]
  const sponsored = await claimUnwrapped(payer, creator)
  expect([sponsored.spent, sponsored.gained]).toEqual([-sponsored.costs, 4_000_800n])
  tokenWriter(local()).hold(holder.address, WRAPPED_NATIVE_MINT, 3_000_000_000n)
  const own = await claimUnwrapped(holder, holder)
  expect(own.gained).toBe(4_000_800n - own.costs)
})
