import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { startTestChain } from '../chain/transactions/test-chain.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { signAndSend } from '../testing/sign-and-send.ts'
import { startTestService } from '../testing/test-service.ts'
import { claim, getRewards } from './test-claims.ts'
import { tokensOf, writeLaunches } from './test-launches.ts'

test('a wallet with a thousand buckets: the 256 largest, in a bounded number of calls, a few at a time; the rest after them', async () => {
  const chain = await startTestChain()
  const creator = createKeypair().address
  const payer = chain.wallet()
  // Five hundred launches, each with a curve and a pool bucket; every third pool still holds some of it.
  const made = writeLaunches(
    chain,
    Array.from({ length: 500 }, (_, at) => ({
      creator,
      curve: { accrued: BigInt(at + 1), claimed: 0n },
      amm: { accrued: BigInt(10_000 + at), claimed: 0n, ...(at % 3 === 0 && { pool: 100_000n }) },
    })),
  )
  const rpc = await startRpcProxy(chain.rpcUrl)
  const { url } = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [rpc.url], 'chain-devnet': [] } },
  })

  const first = await claim(url, { wallet: creator, payer: payer.address })
  expect(first.transactions).toHaveLength(256)
  expect(rpc.count('getProgramAccounts')).toBe(2)
  const sizes = rpc.calls
    .filter(({ method }) => method === 'getMultipleAccounts')
    .map(({ params }) => (params[0] as string[]).length)
  // 1,500 accounts in hundreds, and one more read for the base mints of pools that do not name their token program.
  expect(sizes.length).toBeLessThanOrEqual(20)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100)

  const pools = new Map(made.map(({ amm }, at) => [amm as string, at]))
  const order = first.transactions.map(text => {
    const { message } = VersionedTransaction.deserialize(Buffer.from(text, 'base64'))
    expect(message.recentBlockhash).toBe(first.blockhash.blockhash)
    const bucket = message.staticAccountKeys
      .map(key => pools.get(key.toBase58()))
      .find(at => at !== undefined)
    return bucket as number
  })
  const amount = (at: number) => 10_000 + at + (at % 3 === 0 ? 100_000 : 0)
  const expected = [...made.keys()].sort((a, b) => amount(b) - amount(a)).slice(0, 256)
  expect(order).toEqual(expected)

  const { body, headers } = await getRewards(url, creator)
  const { data } = body as { data: { buckets: { claimable: string }[]; totals: { claimable: string }[] } }
  expect(headers.get('cache-control')).toBe('no-store')
  expect(data.buckets).toHaveLength(1_000)
  const sum = made.reduce((total, _, at) => total + at + 1 + amount(at), 0)
  expect(data.totals.map(({ claimable }) => claimable)).toEqual([`${sum}`])

  for (const transaction of first.transactions.slice(0, 3))
    await signAndSend['web3.js'](chain, { transaction, ...first }, payer)
  const paid = expected.slice(0, 3).reduce((total, at) => total + amount(at), 0)
  expect(tokensOf(chain, creator)).toBe(BigInt(paid))
  const second = await claim(url, { wallet: creator, payer: payer.address })
  expect(second.transactions).toHaveLength(256)
}, 120_000)
