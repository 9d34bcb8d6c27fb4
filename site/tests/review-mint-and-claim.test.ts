import type { RewardBucket } from '@slipway/client'
import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import {
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, test } from 'vitest'
import { addressOf } from '../../service/src/testing/launch-rows.ts'
import { buildClaim } from '../src/pages/rewards/build-claim.ts'
import type { Facts } from '../src/transactions/facts.ts'
import type { Intent } from '../src/transactions/review.ts'
import {
  MALLORY,
  mallory,
  NO_FACTS,
  type ReviewCase,
  rebuild,
  refusalOf,
  reviewOf,
  swapAccount,
  withBytes,
} from './test-rebuild.ts'
import { CURVE, claimCase, collectTransactions } from './test-transactions.ts'

/** What a token account is thought to cost. */
const RENT = 2_000_000n

test('a mint with another name, owner, authority, collection, plugin or document is refused', async () => {
  const { unsignedMint } = await collectTransactions()
  const { case: mint, assetKey } = unsignedMint
  const sign = (wire: Uint8Array) => {
    const transaction = VersionedTransaction.deserialize(wire)
    transaction.sign([Keypair.fromSecretKey(Uint8Array.from(assetKey.secretKey))])
    return transaction.serialize()
  }
  type Change = (create: TransactionInstruction, register: TransactionInstruction) => void
  // The key of the asset signs again, as the service could have it do.
  const attack = (change: Change, intent: Partial<Intent> = {}) =>
    refusalOf({
      ...mint,
      intent: { ...mint.intent, ...intent } as Intent,
      wire: sign(
        rebuild(mint.wire, ({ instructions }) =>
          change(instructions[0] as TransactionInstruction, instructions[1] as TransactionInstruction),
        ),
      ),
    })
  expect(await refusalOf(mint)).toMatch('is missing or wrong')
  expect((await reviewOf({ ...mint, wire: sign(mint.wire) })).steps).toHaveLength(2)

  const nothing: Change = () => {}
  expect(await attack(nothing, { name: 'Ferrywrighter' })).toBe(
    'The transaction names the agent “Ferrywright”. You named it “Ferrywrighter”.',
  )
  expect(await attack(nothing, { uri: 'https://b.example/' })).toMatch('You gave it https://b.example/')
  expect(await attack(nothing, { agent: MALLORY })).toMatch('needs the signature of')
  const roles = [
    'collection',
    'the authority',
    undefined,
    'the owner',
    'the update authority',
    'the system program',
  ]
  for (const [index, role] of roles.entries())
    if (role) expect(await attack(create => swapAccount(create, index + 1))).toMatch(`${MALLORY} as the`)
  expect(await attack((_, register) => swapAccount(register, 0))).toMatch('as the agent’s identity')
  expect(await attack((_, register) => swapAccount(register, 1))).toMatch('as the agent.')
  expect(await attack((_, register) => swapAccount(register, 2))).toMatch('as the agent’s collection')
  expect(await attack((_, register) => swapAccount(register, 4))).toMatch('as the authority')
  // A plugin with an authority of its own could move or burn the agent.
  expect(
    await attack(create => {
      create.data = Buffer.concat([
        create.data.subarray(0, -10),
        Buffer.of(1, 1, 0, 0, 0, 8, 0, 0, 1, 0, 0, 0, 0),
      ])
    }),
  ).toMatch('didn’t expect')
  expect(await attack(create => create.data.writeUInt8(1, 1))).toMatch('didn’t expect')
  expect(await attack((_, register) => register.data.writeUInt8(1, 0))).toMatch('didn’t expect')
  for (const uri of [
    'http://evil.example/a.json',
    'data:application/json,{}',
    'https://a.example/\u202etxt',
    '',
  ])
    expect(
      await attack((_, register) => {
        const text = Buffer.from(uri)
        register.data = Buffer.concat([Buffer.alloc(8), Buffer.of(text.length, 0, 0, 0), text])
      }),
    ).toMatch('isn’t safe')
})

const wallet = addressOf('creator')

test('a claim is described with its source, its token and its recipient', async () => {
  const textOf = async (one: ReviewCase) => (await reviewOf(one)).steps.map(({ text }) => text)
  const short = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`
  const bucket = short(addressOf('bucket'))
  expect(await textOf(claimCase())).toEqual([
    expect.stringMatching(/^Collect the fees that the liquidity pool \w{4}…\w{4} still holds$/),
    `Pay all creator fees of the liquidity pool ${bucket} to your wallet, in wrapped SOL`,
    'Before that, open its wrapped SOL account if needed',
  ])
  const quoteMint = addressOf('stable')
  const other = claimCase({
    bucket: CURVE,
    quoteMint,
    quoteTokenProgram: TOKEN_2022_PROGRAM,
    createsTokenAccount: false,
  })
  expect(await textOf(other)).toEqual([
    `Pay all creator fees of the bonding curve ${bucket} to your wallet, in ${short(quoteMint)}`,
  ])
  // Someone else may pay for a wallet without a key.
  const paid = claimCase({ payer: MALLORY, bucket: CURVE })
  expect(await textOf({ ...paid, wallet: MALLORY })).toEqual([
    `Pay all creator fees of the bonding curve ${bucket} to the wallet ${short(wallet)}, in wrapped SOL`,
    'Before that, open its wrapped SOL account if needed',
  ])
})

test('a claim that is paid as SOL says so, and may do nothing else with the wallet’s wrapped SOL', async () => {
  const empty = claimCase({ bucket: CURVE, unwraps: { quote: undefined, accountRent: RENT } })
  expect((await reviewOf(empty)).steps.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Pay all creator fees of the bonding curve .* to your wallet, in SOL$/),
    'Open a temporary wrapped SOL account and close it afterwards',
  ])
  const quote = { amount: 700_000_000n, isDelegated: false }
  const held = claimCase({ createsTokenAccount: false, unwraps: { quote, accountRent: RENT } })
  const { steps } = await reviewOf(held)
  expect(steps.at(-1)?.text).toBe(
    'Turn the wrapped SOL that arrives into SOL. The wrapped SOL account keeps 0.702 SOL, rent included',
  )
  for (const one of [empty, held]) {
    const attack = (change: (instructions: TransactionInstruction[]) => void) =>
      refusalOf({ ...one, wire: rebuild(one.wire, ({ instructions }) => change(instructions)) })
    let keys: number[] = []
    rebuild(one.wire, ({ instructions }) => {
      keys = instructions.map(each => each.keys.length)
    })
    for (const [at, count] of keys.entries())
      for (let index = 0; at > 1 && index < count; index++)
        expect(await attack(instructions => swapAccount(instructions[at], index)), `${at} ${index}`).toMatch(
          /\w/,
        )
    expect(await attack(instructions => instructions.push(instructions.at(-1) as never))).toMatch(/\w/)
  }
  // Someone else who pays can't unwrap it.
  const paid = claimCase({ payer: MALLORY, bucket: CURVE, unwraps: { quote: undefined, accountRent: RENT } })
  expect(await refusalOf({ ...paid, wallet: MALLORY })).toMatch(/signature|more than/)
})

test('a claim that puts another amount into the wallet’s wrapped SOL account than it has is refused', async () => {
  const quote = { amount: 700_000_000n, isDelegated: false }
  const { facts = NO_FACTS, ...one } = claimCase({
    createsTokenAccount: false,
    unwraps: { quote, accountRent: RENT },
  })
  const wrapped = { ...facts.wrapped, amount: 699_999_999n } as Facts['wrapped']
  expect(await refusalOf({ ...one, facts: { ...facts, wrapped } })).toBe(
    'The transaction moves 0.702 SOL. This page expected 0.701999999 SOL.',
  )
  expect(await refusalOf({ ...one, facts: { ...facts, wrapped: undefined } })).toMatch('more than')
})

test('the page says which part of a claim arrives as wrapped SOL, from the bytes of the transactions', async () => {
  const bucketOf = (name: string) =>
    ({
      address: addressOf(name),
      quoteMint: WRAPPED_NATIVE_MINT,
      claimable: '2000000000',
    }) as Partial<RewardBucket> as RewardBucket
  const wrapped = claimCase({ bucket: CURVE })
  const unwrapped = claimCase({
    bucket: { ...CURVE, address: addressOf('other') },
    unwraps: { quote: undefined, accountRent: RENT },
  })
  let buckets = [bucketOf('bucket'), bucketOf('other')]
  const build = (...cases: ReviewCase[]) => {
    const transactions = cases.map(({ wire }) => Buffer.from(wire).toString('base64'))
    const claim = async () => ({ transactions, blockhash: null })
    return buildClaim(
      { rewards: { claim } } as never,
      {
        ...{ wallet, payer: wallet, network: 'chain-mainnet', max: 20, nameOf: (address: string) => address },
        buckets,
      },
      AbortSignal.timeout(60_000),
    )
  }
  const sol = { units: 2_000_000_000n, decimals: 9, symbol: 'SOL' }
  const held = { ...sol, symbol: 'wrapped SOL', mint: WRAPPED_NATIVE_MINT }
  expect((await build(unwrapped)).income).toEqual([sol])
  expect((await build(wrapped)).income).toEqual([held])
  expect(await build(wrapped, unwrapped)).toMatchObject({ income: [sol, held], wrapped: 1 })
  // Which launch pays, and in which token, is in the bytes too, whatever the service says.
  const { genesis } = CURVE
  const inStable = claimCase({ bucket: CURVE, quoteMint: addressOf('stable') })
  const other = await build(inStable)
  expect(other).toMatchObject({ subjects: [CURVE.address], groups: [{ key: genesis, name: genesis }] })
  expect([other.income, other.groups?.[0]?.income]).toEqual([undefined, undefined])
  // A bucket that the page doesn't know leaves the sum open, and only its own launch without an amount.
  buckets = [bucketOf('other')]
  const apart = { ...CURVE, address: addressOf('other'), genesis: addressOf('other launch') }
  const mixed = await build(
    wrapped,
    claimCase({ bucket: apart, unwraps: { quote: undefined, accountRent: RENT } }),
  )
  expect(mixed.income).toBeUndefined()
  expect(mixed.groups?.map(({ key, income }) => [key, income])).toEqual([
    [genesis, undefined],
    [apart.genesis, [sol]],
  ])
})

test('a claim that pays into any account but the recipient’s own is refused', async () => {
  const pool = claimCase()
  const attack = (change: (instructions: TransactionInstruction[]) => void, one = pool) =>
    refusalOf({ ...one, wire: rebuild(one.wire, ({ instructions }) => change(instructions)) })
  const theirs = new PublicKey(associatedTokenAddress(WRAPPED_NATIVE_MINT, MALLORY, TOKEN_PROGRAM))
  expect(await refusalOf(claimCase({ wallet: MALLORY as Address }))).toMatch('as the new token account')
  expect(await attack(([, , claim]) => swapAccount(claim, 7, theirs))).toMatch(
    'as the recipient’s token account',
  )
  expect(await attack(([create]) => swapAccount(create, 1, theirs))).toMatch('as the new token account')
  expect(await attack(([create]) => swapAccount(create, 2))).toMatch('as its owner')
  const derived = [
    [0, 1, 2, 3, 4, 5],
    Array.from({ length: 22 }, (_, index) => index),
    Array.from({ length: 12 }, (_, index) => index),
  ]
  for (const [at, indexes] of derived.entries())
    for (const index of indexes) await attack(instructions => swapAccount(instructions[at], index))
  const curveClaim = claimCase({ bucket: CURVE })
  for (const index of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await attack(instructions => swapAccount(instructions[1], index), curveClaim)

  const from = new PublicKey(wallet)
  const steal = SystemProgram.transfer({ fromPubkey: from, toPubkey: mallory, lamports: 1 })
  for (const at of [0, 1, 2, 3])
    expect(await attack(instructions => instructions.splice(at, 0, steal))).toMatch(/program|more than/)
  expect(await attack(instructions => instructions.splice(1, 0, instructions[0] as never))).toMatch(
    'more than',
  )
  expect(
    await attack(instructions => {
      instructions[2] = withBytes(instructions[2] as TransactionInstruction, 0, [107])
    }),
  ).toMatch('didn’t expect')
  // Only a pool's fees have to be collected first.
  expect(
    await attack(instructions => {
      instructions.splice(1, 0, instructions[1] as TransactionInstruction)
    }, curveClaim),
  ).toMatch('more than')
  expect(await attack(instructions => instructions.splice(0))).toBe('The transaction does nothing.')
})
