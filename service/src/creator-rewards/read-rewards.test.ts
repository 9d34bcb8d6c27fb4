import { setImmediate } from 'node:timers/promises'
import { associatedTokenAddress, poolStateAddress } from '@slipway/launch-model/addresses'
import { RENT_SYSVAR } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AccountReader } from '../chain/account-reader.ts'
import { createDeadline, DeadlineExceeded } from '../lib/deadline.ts'
import { buildLaunches } from '../official-clients/launches-with-fees.ts'
import { WALLET_BUCKETS_MAX, type WalletBucket } from '../store/buckets.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { type Reward, readRewards } from './read-rewards.ts'
import { createTokenAccounts } from './token-accounts.ts'
import { findBuckets } from './wallet-rewards.ts'

const wallet = createKeypair().address
const bucketOf = (at: number): WalletBucket => ({
  address: addressOf(`bucket ${at}`),
  kind: at % 2 === 0 ? 'bondingCurveV2' : 'raydiumCpmmV2',
})

/** A node without accounts that records its calls. */
function emptyNode(slotOf: (call: number) => number = () => 1) {
  const calls: Address[][] = []
  let running = 0
  let runningMax = 0
  const reader: AccountReader = {
    async fetchAccounts(addresses) {
      const slot = slotOf(calls.push([...addresses]))
      running += 1
      runningMax = Math.max(runningMax, running)
      await setImmediate()
      running -= 1
      return { slot, accounts: addresses.map(address => ({ exists: false, address })) }
    },
  }
  return { reader, calls, runningMax: () => runningMax }
}

test('buckets are read a hundred accounts at a time, each with its pool, in at most five concurrent calls, with the oldest slot', async () => {
  const { reader, calls, runningMax } = emptyNode(call => (call === 7 ? 40 : 50 + call))
  const buckets = Array.from({ length: 700 }, (_, at) => bucketOf(at))
  const alongside = [addressOf('token account'), addressOf('another')]
  const read = await readRewards(reader, wallet, { buckets, alongside, deadline: createDeadline(60_000) })
  expect(read.slot).toBe(40)
  expect(read.alongside.map(({ address }) => address)).toEqual(alongside)
  expect(calls[0]?.slice(-2)).toEqual(alongside)
  expect(calls.length).toBe(11)
  expect(Math.max(...calls.map(({ length }) => length))).toBeLessThanOrEqual(100)
  expect(runningMax()).toBe(5)
  const all = calls.flat()
  expect(new Set(all).size).toBe(700 + 350 + 2)
  for (const { address, kind } of buckets) {
    const call = calls.find(addresses => addresses.includes(address))
    expect(call?.includes(poolStateAddress(address))).toBe(kind === 'raydiumCpmmV2')
  }
})

test('reading stops when the time is up', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { reader, calls } = emptyNode(() => {
    vi.advanceTimersByTime(1_000)
    return 1
  })
  const buckets = Array.from({ length: 9_000 }, (_, at) => bucketOf(2 * at))
  const deadline = createDeadline(12_000)
  await expect(readRewards(reader, wallet, { buckets, alongside: [], deadline })).rejects.toThrow(
    DeadlineExceeded,
  )
  expect(calls.length).toBe(15)
})

test('the chain decides what kind a bucket is, not the store', async () => {
  const { made, accounts } = buildLaunches(
    [{ creator: wallet, curve: { accrued: 5n, claimed: 0n } }],
    () => 1n,
  )
  const address = made[0]?.primary as Address
  const reader: AccountReader = {
    async fetchAccounts(addresses) {
      const found = addresses.map(asked => {
        const account = accounts.get(asked)
        return account
          ? { exists: true as const, address: asked, ...account }
          : { exists: false as const, address: asked }
      })
      return { slot: 1, accounts: found }
    },
  }
  const buckets = [{ address, kind: 'raydiumCpmmV2' as const }]
  const { rewards } = await readRewards(reader, wallet, {
    buckets,
    alongside: [],
    deadline: createDeadline(60_000),
  })
  expect(rewards).toMatchObject([{ address, kind: 'bondingCurveV2', claimable: 5n }])
})

test('a wallet has at most WALLET_BUCKETS_MAX buckets, and the known ones come first', async () => {
  const found = Array.from({ length: WALLET_BUCKETS_MAX + 5 }, (_, at) => ({
    address: `${at}` as Address,
    kind: 'bondingCurveV2' as const,
  }))
  const known = found.slice(-3)
  const { buckets, unindexed } = await findBuckets(
    { findKnown: async () => ({ isIndexComplete: false, buckets: known }), search: async () => found },
    wallet,
    'client',
  )
  expect(buckets).toHaveLength(WALLET_BUCKETS_MAX)
  expect(buckets.slice(0, 3)).toEqual(known)
  expect(unindexed.has(known[0]?.address as Address)).toBe(false)
})

test('the last eight tokens that a wallet was paid in are read ahead', async () => {
  const program = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
  const reader: AccountReader = {
    fetchAccounts: async addresses => ({
      slot: 1,
      accounts: addresses.map(address => ({
        exists: true,
        address,
        owner: program,
        lamports: 1n,
        data: new Uint8Array(),
      })),
    }),
  }
  const claims = Array.from({ length: 20 }, (_, at) => ({
    quoteMint: addressOf(`mint ${at}`),
    uncollected: 0n,
  })) as Reward[]
  const tokens = createTokenAccounts(reader, async () => ({ isElsewhere: false, doubt: undefined }))
  await tokens.fetchFor(wallet, claims, [])
  const mints = ['So11111111111111111111111111111111111111112' as Address].concat(
    claims.slice(-8).map(({ quoteMint }) => quoteMint),
  )
  expect(tokens.expectedFor(wallet)).toEqual([
    RENT_SYSVAR,
    ...mints.map(mint => associatedTokenAddress(mint, wallet, program)),
  ])
  expect(tokens.expectedFor(addressOf('another wallet'))).toHaveLength(2)
})
