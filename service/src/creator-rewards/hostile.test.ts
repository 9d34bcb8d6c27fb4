import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { buildMint } from '@slipway/local-chain/testing/token-accounts'
import { writeLaunchAccounts } from '@slipway/local-chain/testing/written-launch'
import { launchAddresses } from '@slipway/local-chain/world/launch-addresses'
import { VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { startTestChain } from '../chain/transactions/test-chain.ts'
import { writeLaunches } from '../official-clients/launches-with-fees.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestService } from '../testing/test-service.ts'
import { claim, getRewards, NO_REWARDS, postClaim } from './test-claims.ts'

async function start() {
  const chain = await startTestChain()
  const rpc = await startRpcProxy(chain.rpcUrl)
  const service = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [rpc.url], 'chain-devnet': [] } },
  })
  return { ...service, chain, rpc }
}

const rent = (size: number) => BigInt(size) * 7_000n
const keysOf = (transaction: string) =>
  VersionedTransaction.deserialize(Buffer.from(transaction, 'base64')).message.staticAccountKeys.map(key =>
    key.toBase58(),
  )

test('a claim for the all-zero wallet does not search for the buckets that pay no one', async () => {
  const { url, chain, rpc } = await start()
  const mint = createKeypair().address
  const unpaid = writeLaunchAccounts({ mint, authority: SYSTEM_PROGRAM }, rent)
  expect(unpaid.has(launchAddresses(mint, 'bondingCurveV2').primary)).toBe(true)
  chain.chain.writeAccounts(unpaid)
  expect(await postClaim(url, { wallet: SYSTEM_PROGRAM })).toEqual(NO_REWARDS)
  expect((await getRewards(url, SYSTEM_PROGRAM)).body).toMatchObject({ data: { buckets: [] } })
  expect([rpc.count('getProgramAccounts'), rpc.count('getMultipleAccounts')]).toEqual([0, 0])
})

test('a bucket whose quote mint is missing does not block the others', async () => {
  const { url, chain } = await start()
  const creator = createKeypair().address
  const quote = { mint: createKeypair().address, program: TOKEN_PROGRAM }
  writeLaunches(chain, [{ creator, curve: { accrued: 9n, claimed: 0n }, quote }])
  // Without another bucket in the store to compare with, the node itself may lack accounts, so the answer is a 503.
  await expect.poll(() => postClaim(url, { wallet: creator }), { timeout: 30_000 }).toEqual(NO_REWARDS)
  // An account of another program in its place is not a mint either.
  chain.airdrop(quote.mint, 1_000_000_000n)
  expect(await postClaim(url, { wallet: creator })).toEqual(NO_REWARDS)
  const other = createKeypair().address
  const made = writeLaunches(chain, [
    { creator: other, curve: { accrued: 9n, claimed: 0n }, quote },
    { creator: other, curve: { accrued: 4n, claimed: 0n } },
  ])
  const { transactions } = await claim(url, { wallet: other })
  expect(transactions).toHaveLength(1)
  expect(keysOf(transactions[0] as string)).toContain(made[1]?.primary)
})

test('a bucket or pool that disappears between search and read is left out', async () => {
  const { url, chain, rpc } = await start()
  const creator = createKeypair().address
  const made = writeLaunches(chain, [
    { creator, curve: { accrued: 9n, claimed: 0n } },
    { creator, amm: { accrued: 4n, claimed: 0n, pool: 5n } },
  ])
  const [curve, pool] = [made[0]?.primary, made[1]?.pool]
  if (!curve || !pool) throw new Error('no launches')
  rpc.behave = method => {
    if (method === 'getMultipleAccounts')
      chain.chain.writeAccounts(
        new Map([curve, pool].map(address => [address, { ...buildMint(undefined, 1n, 6, rent) }])),
      )
    return undefined
  }
  const { transactions } = await claim(url, { wallet: creator })
  // The pool is not collected from, but the bucket is claimed.
  expect(transactions).toHaveLength(1)
  expect(keysOf(transactions[0] as string)).toContain(made[1]?.amm)
  expect(keysOf(transactions[0] as string)).not.toContain(pool)
})
