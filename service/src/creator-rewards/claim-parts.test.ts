import {
  RENT_SYSVAR,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { VersionedTransaction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import type { Blockhash } from '../chain/account-reader.ts'
import { createDeadline } from '../lib/deadline.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { CLAIMS_MAX, createClaims } from './claim-creator-rewards.ts'
import type { Reward } from './read-rewards.ts'

const wallet = addressOf('creator')
const [one, two] = [addressOf('one payer'), addressOf('another payer')]

const rewardOf = (name: string, fields: Partial<Reward> = {}): Reward => ({
  address: addressOf(name),
  kind: 'bondingCurveV2',
  genesis: addressOf(`launch of ${name}`),
  baseMint: addressOf(`token of ${name}`),
  quoteMint: WRAPPED_NATIVE_MINT,
  accrued: 10n,
  claimed: 0n,
  uncollected: 0n,
  claimable: 10n,
  ...fields,
})

/** Claims on a chain whose rewards and blocks the test controls. */
function open() {
  const state = {
    rewards: [rewardOf('bucket')],
    fault: undefined as unknown,
    doubt: undefined as unknown,
    tokens: { isKnown: true, doubt: undefined as unknown },
    block: 1,
    asked: [] as string[],
  }
  const blockhashOf = (block: number): Blockhash => ({
    blockhash: addressOf(`block ${block}`),
    lastValidBlockHeight: block,
  })
  const build = createClaims({
    async readRewards() {
      state.asked.push('rewards')
      return { rewards: state.rewards, tokenAccounts: [], fault: state.fault, doubt: state.doubt }
    },
    reader: {
      fetchAccounts: async addresses => ({
        slot: 1,
        accounts: addresses.map(address => ({ exists: false as const, address })),
      }),
    },
    tokenAccounts: {
      fetchFor: async () => ({
        quotes: new Map(
          state.tokens.isKnown
            ? [NATIVE, WORTHLESS].map(token => [
                token.mint,
                { token, account: HELD, lamports: HELD.lamports },
              ])
            : [],
        ),
        tokenOf: mint => ({ mint, program: TOKEN_PROGRAM }),
        rentSysvar: RENT,
        doubt: state.tokens.doubt,
      }),
    },
    blockhash: {
      async latest() {
        state.asked.push('latest')
        return blockhashOf(state.block)
      },
      async newer(than) {
        state.asked.push(than ? 'next block' : 'newer')
        if (than) state.block += 1
        return blockhashOf(state.block)
      },
    },
  })
  const claim = (payer: Address) => build({ wallet, payer }, { client: '', deadline: createDeadline(60_000) })
  const asked = () => state.asked.splice(0)
  return { state, claim, asked }
}

const keysOf = (transaction: string | undefined) =>
  VersionedTransaction.deserialize(Buffer.from(transaction ?? '', 'base64')).message.staticAccountKeys.map(
    key => key.toBase58(),
  )

/** 5,080 lamports per byte. */
const RENT = {
  exists: true as const,
  address: RENT_SYSVAR,
  owner: RENT_SYSVAR,
  lamports: 1n,
  data: Uint8Array.from([0xd8, 0x13, ...new Uint8Array(15)]),
}
const NATIVE = { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM }
const WORTHLESS = { mint: addressOf('worthless token'), program: TOKEN_PROGRAM }
const HELD = {
  exists: true as const,
  address: addressOf('wrapped'),
  owner: TOKEN_PROGRAM,
  lamports: 1n,
  data: new Uint8Array(165),
}

test('a first claim uses the kept blockhash; a later one uses a blockhash fetched after the read', async () => {
  const { state, claim, asked } = open()
  await claim(one)
  await claim(one)
  expect(asked()).toEqual(['rewards', 'latest', 'rewards', 'latest'])
  state.rewards = [rewardOf('bucket'), rewardOf('other', { accrued: 12n, claimed: 2n })]
  await claim(one)
  expect(asked()).toEqual(['rewards', 'newer'])
})

test('a claim waits for the next block only if the payer would get an earlier transaction again', async () => {
  const { state, claim, asked } = open()
  const owe = (accrued: bigint, uncollected = 0n) => {
    state.rewards = [rewardOf('bucket', { accrued, claimed: 5n, uncollected })]
  }
  owe(10n)
  const first = await claim(one)
  await claim(two)
  const again = await claim(one)
  expect(again).toEqual(first)
  expect(asked().filter(question => question !== 'rewards')).toEqual(['newer', 'newer', 'newer'])
  owe(11n)
  const { transactions, blockhash } = await claim(one)
  expect(asked()).toEqual(['rewards', 'newer', 'next block'])
  expect(transactions).not.toEqual(first.transactions)
  expect(blockhash.lastValidBlockHeight).toBe(2)
  owe(11n, 3n)
  // The other payer has no claim on this block, and does not replace this payer's entry.
  await claim(two)
  expect(asked()).toEqual(['rewards', 'newer'])
  await claim(one)
  expect(asked()).toEqual(['rewards', 'newer', 'next block'])
})

test('collecting uses the configuration and the token programs that the pool names', async () => {
  const { state, claim } = open()
  const [ammConfig, pool] = [addressOf('configuration'), { kind: 'raydiumCpmmV2', uncollected: 4n } as const]
  const environment = 'mainnet' as const
  const creatorFees = { base: 0n, quote: 4n }
  const collecting = async (said: object) => {
    state.rewards = [
      rewardOf('bucket', { ...pool, pool: { environment, creatorFees, heldFees: creatorFees, ...said } }),
    ]
    return keysOf((await claim(one)).transactions[0])
  }
  const own = await collecting({ ammConfig, baseTokenProgram: TOKEN_2022_PROGRAM })
  expect(own).toContain(ammConfig)
  expect(own).toContain(TOKEN_2022_PROGRAM)
  const usual = await collecting({})
  expect(usual).not.toContain(ammConfig)
  expect(usual).not.toContain(TOKEN_2022_PROGRAM)
})

test('there is nothing to claim only if every bucket and token was read for certain', async () => {
  const { state, claim } = open()
  const [fault, doubt] = [new Error('the search failed'), new Error('buckets are missing')]
  Object.assign(state, { rewards: [], fault, doubt })
  await expect(claim(one)).rejects.toBe(doubt)
  state.doubt = undefined
  await expect(claim(one)).rejects.toBe(fault)
  state.fault = undefined
  await expect(claim(one)).rejects.toMatchObject({ code: 'NO_REWARDS' })
  state.rewards = [rewardOf('bucket')]
  state.tokens = { isKnown: false, doubt }
  await expect(claim(one)).rejects.toBe(doubt)
  state.tokens.doubt = undefined
  await expect(claim(one)).rejects.toMatchObject({ code: 'NO_REWARDS' })
})

test('of too many rewards the largest are claimed, and a worthless token does not crowd out native currency', async () => {
  const { state, claim } = open()
  const many = (name: string, quoteMint: Address) =>
    Array.from({ length: CLAIMS_MAX - 1 }, (_, at) =>
      rewardOf(`${name} ${at}`, { quoteMint, accrued: BigInt(9_999 - at), claimable: BigInt(9_999 - at) }),
    )
  const few = [rewardOf('small'), rewardOf('smaller', { accrued: 9n, claimable: 9n })]
  const claimed = async () =>
    (await claim(one)).transactions.map(transaction => {
      const keys = keysOf(transaction)
      return state.rewards.findIndex(({ address }) => keys.includes(address))
    })
  const first = Array.from({ length: CLAIMS_MAX }, (_, at) => at)
  state.rewards = [...many('large', WRAPPED_NATIVE_MINT), ...few]
  expect(await claimed()).toEqual(first)
  state.rewards = [...many('worthless', WORTHLESS.mint), ...few]
  expect(await claimed()).toEqual([CLAIMS_MAX - 1, CLAIMS_MAX, ...first.slice(0, -2)])
})
