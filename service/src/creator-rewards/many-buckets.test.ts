import { randomBytes } from 'node:crypto'
import { poolStateAddress } from '@slipway/launch-model/addresses'
import { addressAt } from '@slipway/launch-model/bytes/base58'
import { bondingCurve } from '@slipway/launch-model/kinds/bonding-curve'
import { raydiumCpmm } from '@slipway/launch-model/kinds/raydium-cpmm'
import type { ChainAccount } from '@slipway/local-chain'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import type { CreatorRewards } from '@slipway/schema/creator-rewards'
import { VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { startTestChain } from '../chain/transactions/test-chain.ts'
import { buildLaunches, tokensOf, writeLaunches } from '../official-clients/launches-with-fees.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { signAndSend } from '../testing/sign-and-send.ts'
import { startTestService } from '../testing/test-service.ts'
import { claim, getRewards } from './test-claims.ts'

test('a wallet with a thousand buckets gets its 256 largest claims in a bounded number of calls, and the next ones after them', async () => {
  const chain = await startTestChain()
  const creator = createKeypair().address
  const payer = chain.wallet()
  const rent = chain.chain.vm.rentExemptMinimum
  // Two real launches, and 998 copies of a third at other addresses, which look the same to a reader.
  const real = writeLaunches(chain, [
    { creator, curve: { accrued: 9_000_000n, claimed: 0n } },
    { creator, amm: { accrued: 5_000_000n, claimed: 0n, pool: 3_000_000n } },
  ])
  const sample = buildLaunches(
    [{ creator, curve: { accrued: 1n, claimed: 0n }, amm: { accrued: 1n, claimed: 0n, pool: 100_000n } }],
    rent,
  )
  const owed = new Map<string, number>([
    [real[0]?.primary as string, 9_000_000],
    [real[1]?.amm as string, 8_000_000],
  ])
  const copies = new Map<Address, ChainAccount>()
  const [at] = sample.made
  if (!at) throw new Error('no sample')
  for (let index = 0; index < 998; index += 1) {
    const address = addressAt(randomBytes(32))
    const isPool = index % 2 === 0
    const account = sample.accounts.get(isPool ? at.amm : at.primary) as ChainAccount
    const pool = sample.accounts.get(at.pool) as ChainAccount
    copies.set(address, withAccrued(account, BigInt(1_000 + index)))
    if (isPool) copies.set(poolStateAddress(address), pool)
    owed.set(address, 1_000 + index + (isPool ? 100_000 : 0))
  }
  chain.chain.writeAccounts(copies)
  const rpc = await startRpcProxy(chain.rpcUrl)
  const { url } = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [rpc.url], 'chain-devnet': [] } },
  })

  const first = await claim(url, { wallet: creator, payer: payer.address })
  expect(rpc.count('getProgramAccounts')).toBe(2)
  const sizes = rpc.calls
    .filter(({ method }) => method === 'getMultipleAccounts')
    .map(({ params }) => (params[0] as string[]).length)
  // 1,500 accounts and two others, a hundred per call, and the accounts for fees of up to 256 pools.
  expect(sizes.length).toBeLessThanOrEqual(19)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(100)

  const expected = [...owed].sort(([, a], [, b]) => b - a).map(([address]) => address)
  expect(bucketsOf(first.transactions, owed)).toEqual(expected.slice(0, 256))
  const { body, headers } = await getRewards(url, creator)
  const { data } = body as { data: CreatorRewards }
  expect(headers.get('cache-control')).toBe('no-store')
  expect(data.buckets.filter(({ claimable }) => claimable !== '0').map(({ address }) => address)).toEqual(
    expected,
  )
  const sum = [...owed.values()].reduce((total, amount) => total + amount, 0)
  expect(data.totals.map(({ claimable }) => claimable)).toEqual([`${sum}`])

  for (const transaction of first.transactions.slice(0, 2))
    await signAndSend['web3.js'](chain, { transaction, ...first }, payer)
  expect(tokensOf(chain, creator)).toBe(17_000_000n)
  const second = await claim(url, { wallet: creator, payer: payer.address })
  expect(bucketsOf(second.transactions, owed)).toEqual(expected.slice(2, 258))
})

function withAccrued(account: ChainAccount, accrued: bigint): ChainAccount {
  const data = Uint8Array.from(account.data)
  const { layout } = data[0] === bondingCurve.key ? bondingCurve : raydiumCpmm
  new DataView(data.buffer).setBigUint64(layout.offsetOf('creatorFeeAccrued'), accrued, true)
  return { ...account, data }
}

function bucketsOf(transactions: readonly string[], known: ReadonlyMap<string, unknown>): string[] {
  const hashes = new Set<string>()
  const buckets = transactions.map(text => {
    const { message } = VersionedTransaction.deserialize(Buffer.from(text, 'base64'))
    hashes.add(message.recentBlockhash)
    return message.staticAccountKeys.map(key => key.toBase58()).find(key => known.has(key)) as string
  })
  expect(hashes.size).toBe(1)
  return buckets
}
