import { setTimeout as sleep } from 'node:timers/promises'
import { poolStateAddress } from '@slipway/launch-model/addresses'
import { TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { ChainAccount } from '../chain/account-reader.ts'
import { createDeadline, DeadlineExceeded, withinDeadline } from '../lib/deadline.ts'
import { buildLaunches, type TestLaunch } from '../official-clients/launches-with-fees.ts'
import type { WalletBucket } from '../store/buckets.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { createMissingCheck } from './check-missing.ts'
import type { Reward } from './read-rewards.ts'
import { createTokenAccounts } from './token-accounts.ts'
import { createWalletRewards, type UnindexedBucket } from './wallet-rewards.ts'

const creator = createKeypair().address

/** Endpoints that share a chain but may lack some of its accounts. The first one answers ordinary reads. */
function prepare(launches: readonly TestLaunch[]) {
  const { made, accounts } = buildLaunches(launches, () => 1n)
  const buckets: WalletBucket[] = made.map(({ amm }) => ({ address: amm, kind: 'raydiumCpmmV2' }))
  const state = {
    hidden: [new Set<Address>(), new Set<Address>()],
    isForeign: false,
    canConfirm: true,
    isIndexComplete: true,
    known: buckets,
    found: [] as WalletBucket[],
    sample: buckets.map(({ address }) => address),
    missing: 0,
    stored: [] as UnindexedBucket[],
  }
  const accountAt = (endpoint: number, address: Address): ChainAccount => {
    const account = state.hidden[endpoint]?.has(address) ? undefined : accounts.get(address)
    return account ? { exists: true, address, ...account } : { exists: false, address }
  }
  let endpoint = 0
  const reader: Parameters<typeof createMissingCheck>[0]['reader'] &
    Parameters<typeof createWalletRewards>[0]['reader'] = {
    fetchAccounts: async addresses => ({
      slot: 5,
      accounts: addresses.map(address => accountAt(endpoint, address)),
    }),
    async confirmCluster() {
      if (state.isForeign) throw new Error('another cluster')
    },
    async confirmMissing(addresses, isPresent = account => account.exists) {
      if (!state.canConfirm) throw new Error('too few endpoints')
      const isFound = (address: Address) => [0, 1].some(at => isPresent(accountAt(at, address)))
      const found = addresses.filter(isFound)
      if (found.length > 0) endpoint = 1
      return { found, missing: addresses.filter(address => !isFound(address)), slot: 5 }
    },
  }
  const checkMissing = createMissingCheck({ reader, sample: async () => state.sample })
  const read = createWalletRewards({
    requestMs: 60_000,
    reader,
    checkMissing,
    expectedTokenAccounts: () => [],
    findKnown: async () => ({ isIndexComplete: state.isIndexComplete, buckets: state.known }),
    search: async () => state.found,
    remember: found => state.stored.push(...found),
    onMissing() {
      state.missing += 1
    },
  })
  const tokensFor = (rewards: readonly Reward[]) =>
    createTokenAccounts(reader, checkMissing).fetchFor(creator, rewards, [])
  return {
    state,
    made,
    buckets,
    tokensFor,
    read: () => read(creator, { client: '', deadline: createDeadline(60_000) }),
  }
}

const amm = { accrued: 3n, claimed: 0n, pool: 4n }
const sound = Array.from({ length: 5 }, () => ({ creator, amm }))
const total = (rewards: { claimable: bigint }[]) =>
  rewards.reduce((sum, { claimable }) => sum + claimable, 0n)

test.each<[string, TestLaunch[], (made: ReturnType<typeof prepare>['made'][number]) => Address]>([
  ['bucket', sound, ({ amm }) => amm],
  ['pool', sound, ({ amm }) => poolStateAddress(amm)],
  [
    'launch whose buckets name no mints',
    sound.map(each => ({ ...each, withoutMints: true })),
    made => made.genesis,
  ],
])(
  'a %s that one endpoint lacks is read from another, and nothing is left out',
  async (_, launches, lacking) => {
    const { state, made, read } = prepare(launches)
    state.hidden[0]?.add(lacking(made[0] as (typeof made)[number]))
    const { rewards, doubt } = await read()
    expect([total(rewards), doubt, state.missing]).toEqual([35n, undefined, 0])
  },
)

const bare = Array.from({ length: 5 }, () => ({ creator, amm: { ...amm, isBarePool: true } }))

test('a mint that one endpoint lacks is read from another', async () => {
  const { state, made, read, tokensFor } = prepare(bare)
  const mint = made[0]?.mint as Address
  state.hidden[0]?.add(mint)
  const { tokenOf, doubt } = await tokensFor((await read()).rewards)
  expect([tokenOf(mint)?.program, doubt]).toEqual([TOKEN_PROGRAM, undefined])
})

test.each([
  ['is believed to be gone if other buckets are there', 0, undefined],
  ['is in doubt if other buckets are missing too', 4, { code: 'SERVICE_UNAVAILABLE' }],
])('a mint that every endpoint lacks %s', async (_, missing, expected) => {
  const { state, made, buckets, read, tokensFor } = prepare(bare)
  const { rewards } = await read()
  for (const hidden of state.hidden)
    for (const address of [
      made[4]?.mint as Address,
      ...buckets.slice(0, missing).map(({ address }) => address),
    ])
      hidden.add(address)
  const { doubt } = await tokensFor(rewards)
  if (expected) expect(doubt).toMatchObject(expected)
  else expect(doubt).toBeUndefined()
})

test('a bucket that is gone from every endpoint is left out and reported to the index', async () => {
  const { state, buckets, read } = prepare(sound)
  for (const hidden of state.hidden) hidden.add(buckets[0]?.address as Address)
  const { rewards, doubt } = await read()
  expect([rewards.length, doubt, state.missing]).toEqual([4, undefined, 1])
})

test.each([
  ['other buckets are missing too', 2],
  ['every bucket is missing', 5],
])('the amounts are in doubt if %s', async (_, missing) => {
  const { state, buckets, read } = prepare(sound)
  state.known = buckets.slice(0, 1)
  for (const hidden of state.hidden) for (const { address } of buckets.slice(0, missing)) hidden.add(address)
  expect((await read()).doubt).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('the amounts are in doubt if the store knows no other bucket to compare with', async () => {
  const { state, buckets, read } = prepare(sound.slice(0, 1))
  for (const hidden of state.hidden) hidden.add(buckets[0]?.address as Address)
  expect((await read()).doubt).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('rewards that were found can be claimed while too few endpoints answer to confirm the rest', async () => {
  const { state, buckets, read } = prepare(sound)
  state.hidden[0]?.add(buckets[0]?.address as Address)
  state.canConfirm = false
  const { rewards, doubt } = await read()
  expect(rewards).toHaveLength(4)
  expect(doubt).toMatchObject({ message: 'too few endpoints' })
})

test('the result of a search is neither returned nor stored if the endpoint belongs to another cluster', async () => {
  const { state, buckets, read } = prepare(sound)
  state.isIndexComplete = false
  state.known = []
  state.found = buckets
  state.isForeign = true
  await expect(read()).rejects.toThrow('another cluster')
  expect(state.stored).toEqual([])
  state.isForeign = false
  expect((await read()).rewards).toHaveLength(5)
  expect(state.stored).toHaveLength(5)
})

test('requests for a wallet with more than 500 buckets have more time', async () => {
  const requestMs = 300
  /** Five hundred buckets are one step, and one more is a second step. */
  function slow(count: number) {
    const buckets = Array.from(
      { length: count },
      (_, at): WalletBucket => ({
        address: addressOf(`bucket ${at}`),
        kind: 'bondingCurveV2',
      }),
    )
    const read = createWalletRewards({
      requestMs,
      reader: {
        async fetchAccounts(addresses) {
          await sleep(count > 500 ? 200 : 1_000)
          return { slot: 1, accounts: addresses.map(address => ({ exists: false, address })) }
        },
        confirmCluster: async () => {},
      },
      checkMissing: async () => ({ isElsewhere: false, doubt: undefined }),
      expectedTokenAccounts: () => [],
      findKnown: async () => ({ isIndexComplete: true, buckets }),
      search: async () => [],
      remember() {},
      onMissing() {},
    })
    const deadline = createDeadline(requestMs)
    return withinDeadline(deadline, read(creator, { client: '', deadline }))
  }
  const startMs = performance.now()
  const [small, large] = await Promise.allSettled([slow(500), slow(501)])
  expect(small).toMatchObject({ status: 'rejected', reason: expect.any(DeadlineExceeded) })
  expect(large.status).toBe('fulfilled')
  expect(performance.now() - startMs).toBeGreaterThan(requestMs)
})

test('a bucket is gone only if one and the same response has the others and lacks it', async () => {
  const { made, accounts } = buildLaunches(sound, () => 1n)
  const [first, ...others] = made.map(({ amm }) => amm) as [Address, ...Address[]]
  const isPresent = (account: ChainAccount) => account.exists
  /** An endpoint that lacks the first bucket until it is asked for the others. */
  const check = (lacks: 'nothing' | 'the bucket' | 'everything') => {
    const calls: Address[][] = []
    const checkMissing = createMissingCheck({
      reader: {
        confirmMissing: async missing => ({ found: [], missing: [...missing], slot: 1 }),
        async fetchAccounts(addresses) {
          calls.push([...addresses])
          const isLacking = (address: Address) =>
            lacks === 'everything' || (lacks === 'the bucket' && address === first)
          return {
            slot: 1,
            accounts: addresses.map(address => {
              const account = isLacking(address) ? undefined : accounts.get(address)
              return account ? { exists: true, address, ...account } : { exists: false, address }
            }),
          }
        },
      },
      sample: async () => [first, ...others],
    })
    return { calls, result: checkMissing([first], isPresent) }
  }
  const recovered = check('nothing')
  expect(await recovered.result).toEqual({ isElsewhere: true, doubt: undefined })
  expect(recovered.calls).toEqual([[...others, first]])
  expect(await check('the bucket').result).toEqual({ isElsewhere: false, doubt: undefined })
  expect(await check('everything').result).toMatchObject({
    isElsewhere: false,
    doubt: { code: 'SERVICE_UNAVAILABLE' },
  })
})

test('a missing bucket is believed to be gone if at most one in twenty others is missing too', async () => {
  const { made, accounts } = buildLaunches(sound.slice(0, 1), () => 1n)
  const account = accounts.get(made[0]?.amm as Address)
  if (!account) throw new Error('there is no bucket')
  const doubtOf = async ({ others, absent }: { others: number; absent: number }) => {
    const sample = Array.from({ length: others }, (_, at) => addressOf(`other ${at}`))
    const check = createMissingCheck({
      reader: {
        confirmMissing: async missing => ({ found: [], missing: [...missing], slot: 1 }),
        fetchAccounts: async addresses => ({
          slot: 1,
          accounts: addresses.map(address =>
            sample.indexOf(address) >= absent
              ? { exists: true, address, ...account }
              : { exists: false, address },
          ),
        }),
      },
      sample: async () => sample,
    })
    return (await check([addressOf('gone')], found => found.exists)).doubt
  }
  expect(await doubtOf({ others: 20, absent: 1 })).toBeUndefined()
  for (const most of [
    { others: 20, absent: 2 },
    { others: 19, absent: 1 },
  ])
    expect(await doubtOf(most)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('the amounts are in doubt if another endpoint has one missing bucket but lacks another', async () => {
  const { state, buckets, read } = prepare(sound)
  for (const at of [0, 1]) state.hidden[at]?.add(buckets[at]?.address as Address)
  const { rewards, doubt } = await read()
  expect([rewards.length, state.missing]).toEqual([4, 1])
  expect(doubt).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('buckets that the search found are stored as of the slot of their read', async () => {
  const { state, buckets, read } = prepare(sound.slice(0, 1))
  Object.assign(state, { isIndexComplete: false, known: [], found: buckets })
  await read()
  expect(state.stored).toMatchObject([{ address: buckets[0]?.address, creatorFeeWallet: creator, slot: 5 }])
})
