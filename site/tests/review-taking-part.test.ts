import { bucketAddress } from '@slipway/launch-model/addresses'
import { claimUnlockedCall } from '@slipway/launch-model/calls/deposits'
import { inOneTransaction, UNITS } from '@slipway/launch-model/plan-deposit'
import { TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import { createKeypair, type Keypair } from '@slipway/local-chain/ledger/keypair'
import type { Address } from '@slipway/schema/address'
import { SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type Json, land } from '../../service/src/agents/test-mints.ts'
import { tokenWriter } from '../../service/src/agents/wallet/test-tokens.ts'
import { compileSteps } from '../../service/src/chain/transactions/compile-steps.ts'
import { useDemo } from '../../service/src/testing/demo.ts'
import { demoLaunch, postJson, registrationOf } from '../../service/src/testing/demo-launches.ts'
import { useTestService } from '../../service/src/testing/test-service.ts'
import { formatExactly, formatSaid } from '../src/lib/format.ts'
import { WrongAnswer } from '../src/lib/rpc.ts'
import { readPool } from '../src/pages/launch/read-pool.ts'
import { readTerms } from '../src/pages/launch/read-terms.ts'
import { assertPrice, findOutlook } from '../src/transactions/check-figures.ts'
import { type Facts, readFacts } from '../src/transactions/facts.ts'
import type { SwapIntent } from '../src/transactions/intent.ts'
import { type Intent, UnexpectedTransactionError } from '../src/transactions/review.ts'
import {
  effectOf,
  fromBase64,
  MALLORY,
  mallory,
  messageStart,
  type ReviewCase,
  rebuild,
  refusalOf,
  reviewOf,
  swapAccount,
  withBytes,
} from './test-rebuild.ts'

const SOL = 1_000_000_000n
const world = useDemo()
const service = useTestService(() => ({ config: world.config() }))
const LAUNCHES = [
  'patchbot',
  'harbour-cat',
  'paper-lighthouse',
  'cold-harbour',
  'tollgate',
  'herring-row',
  'cloud-cellar',
  'slack-water',
]

const place = (rpcUrl = world.chainOf().local.rpcUrl) =>
  ({ rpcUrl, network: 'chain-mainnet', signal: AbortSignal.timeout(60_000) }) as const

type Asked = Partial<Intent> & { kind: Intent['kind'] }

/** A transaction that the running service has built, and what the page asked for. */
async function build(slug: string, action: string, key: Keypair, body: object, asked: Asked) {
  const { genesisAddress, mint } = demoLaunch(world, slug)
  const path = `${service().url}/v1/launches/${genesisAddress}/${action}`
  const { body: built, status } = await postJson(path, body)
  if (status !== 200) throw new Error(JSON.stringify(built))
  const launch = {
    genesis: genesisAddress,
    baseMint: mint,
    baseDecimals: 6,
    quoteMint: WRAPPED_NATIVE_MINT,
    quoteDecimals: 9,
  }
  const wires = ((built.transactions ?? [built.tx]) as string[]).map(fromBase64)
  const wallet = key.address as string as Address
  const intent = { ...launch, ...asked } as Intent
  const facts = await readFacts(place(), intent, wallet)
  const cases = wires.map((wire): ReviewCase => ({ wire, intent, wallet, facts }))
  return { built: built as Json, cases }
}

async function swap(slug: string, key: Keypair, side: 'buy' | 'sell', amount: bigint) {
  const body = { wallet: key.address, side, amount: `${amount}` }
  const { built, cases } = await build(slug, 'swap', key, body, { kind: 'swap' })
  const { amountOut, minAmountOut } = built.quote
  const asked = {
    ...{ side, amountIn: amount, slippageBps: 100 },
    ...{ amountOut: BigInt(amountOut), minAmountOut: BigInt(minAmountOut) },
  }
  const [one] = cases as [ReviewCase]
  return { built, one: { ...one, intent: { ...one.intent, ...asked } as Intent } }
}

/** What the recipient of a part of the launch signs once everything before it has been triggered. */
async function unlockedClaim(wallet: Address): Promise<ReviewCase> {
  const { genesisAddress, mint } = demoLaunch(world, 'tollgate')
  const [genesis, baseMint] = [genesisAddress, mint] as string[] as [Address, Address]
  const launch = { genesis, baseMint, baseDecimals: 6, quoteMint: WRAPPED_NATIVE_MINT, quoteDecimals: 9 }
  const tokens = {
    base: { mint: baseMint, program: TOKEN_PROGRAM },
    quote: { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM },
  }
  const call = claimUnlockedCall(
    {
      genesis,
      tokens,
      bucket: { kind: 'unlockedV2', address: bucketAddress('unlockedV2', genesis, 2) },
    },
    { owner: wallet, payer: wallet },
  )
  const group = { units: UNITS.unlocked, steps: [{ call, byAgent: false }] }
  const funds = { tokens, trader: wallet, payer: wallet, isAgent: false, accountRent: 0n, priorityFee: 0n }
  const steps = inOneTransaction([group], { ...funds, holds: { hasBase: true, quote: undefined } })
  const wire = fromBase64(compileSteps(steps, { payer: wallet, blockhash: genesis }))
  const intent = { ...launch, kind: 'claim-launch' } as Intent
  const facts = await readFacts(place(), intent, wallet)
  const { accounts, pool } = facts.launch as NonNullable<Facts['launch']>
  // The demo's launch has no such bucket.
  const unlocked = [{ kind: 'unlockedV2', address: bucketAddress('unlockedV2', genesis, 2) } as never]
  return { wire, intent, wallet, facts: { ...facts, launch: { accounts: { ...accounts, unlocked }, pool } } }
}

const all: Record<string, ReviewCase> = {}

beforeAll(async () => {
  for (const slug of LAUNCHES)
    await postJson(`${service().url}/v1/launches/register`, registrationOf(world, slug))
  const { local, world: demo } = world.chainOf()
  const { hold } = tokenWriter(local)
  const funded = () => {
    const key = createKeypair()
    local.airdrop(key.address, 20n * SOL)
    return key
  }
  const [fresh, wrapped] = [funded(), funded()]
  for (const slug of ['patchbot', 'harbour-cat']) {
    const bought = await swap(slug, fresh, 'buy', SOL / 2n)
    all[`buy ${slug}`] = bought.one
    expect(await land(local, bought.built, fresh)).toBeNull()
    all[`sell ${slug}`] = (await swap(slug, fresh, 'sell', 1_000_000n)).one
  }
  all['sell with all digits'] = (await swap('patchbot', fresh, 'sell', 12_345_678_901n)).one
  hold(wrapped.address as string as Address, WRAPPED_NATIVE_MINT, SOL)
  const bought = await swap('patchbot', wrapped, 'buy', SOL)
  all['buy with wrapped funds'] = bought.one
  expect(await land(local, bought.built, wrapped)).toBeNull()
  all['sell with wrapped funds'] = (await swap('patchbot', wrapped, 'sell', 5_000_000n)).one

  const deposit = (slug: string, key: Keypair) =>
    build(
      slug,
      'deposit',
      key,
      { wallet: key.address, amount: `${SOL}` },
      {
        kind: 'deposit',
        amount: SOL,
        maxCost: SOL,
      },
    )
  all['deposit in a presale'] = (await deposit('cold-harbour', fresh)).cases[0] as ReviewCase
  for (const [name, key] of [
    ['', fresh],
    [' with wrapped funds', wrapped],
  ] as const) {
    const deposited = await deposit('paper-lighthouse', key)
    all[`deposit${name}`] = deposited.cases[0] as ReviewCase
    expect(await land(local, deposited.built, key)).toBeNull()
    const body = { wallet: key.address, amount: `${SOL / 4n}` }
    const intent = { kind: 'withdraw-deposit', amount: SOL / 4n } as const
    all[`withdraw${name}`] = (await build('paper-lighthouse', 'withdraw', key, body, intent))
      .cases[0] as ReviewCase
  }
  const several = (name: string, cases: ReviewCase[]) =>
    cases.forEach((one, at) => {
      all[`${name} ${at}`] = one
    })
  const { visitor } = demo
  const claim = { wallet: visitor.address, unwrap: true }
  for (const slug of ['tollgate', 'herring-row', 'cloud-cellar'])
    several(`claim ${slug}`, (await build(slug, 'claim', visitor, claim, { kind: 'claim-launch' })).cases)
  hold(visitor.address as string as Address, WRAPPED_NATIVE_MINT, SOL)
  all['claim unlocked'] = await unlockedClaim(visitor.address as string as Address)
  several(
    'refund with wrapped funds',
    (await build('cloud-cellar', 'claim', visitor, claim, { kind: 'claim-launch' })).cases,
  )
  several(
    'graduate',
    (await build('slack-water', 'graduate', visitor, { payer: visitor.address }, { kind: 'graduate' })).cases,
  )
})

const one = (name: string) => all[name] as ReviewCase
const textsOf = async (name: string) => (await reviewOf(one(name))).steps.map(({ text }) => text)
const askedFor = (name: string, change: object) =>
  refusalOf({ ...one(name), intent: { ...one(name).intent, ...change } as Intent })

test('what a person does with a launch is said in words, from the bytes of its transaction', async () => {
  for (const name of Object.keys(all)) expect(await textsOf(name), name).not.toEqual([])
  expect(await textsOf('buy patchbot')).toEqual([
    expect.stringMatching(/^Pay 0\.5 SOL for at least [\d,.]+ of the token \w+…\w+$/),
    expect.stringMatching(/^Open your wallet’s account for/),
    'Open a temporary wrapped SOL account and close it afterwards',
  ])
  expect(await textsOf('sell with wrapped funds')).toEqual([
    expect.stringMatching(/^Sell 5 of the token \w+…\w+ for at least 0\.\d+ SOL$/),
    expect.stringMatching(
      /^Turn the wrapped SOL that arrives into SOL\. The wrapped SOL account keeps [\d.]+ SOL, rent included$/,
    ),
  ])
  const named = async (baseSymbol: string) => {
    const { intent, ...rest } = one('buy patchbot')
    return (await reviewOf({ ...rest, intent: { ...intent, baseSymbol } as Intent })).steps
  }
  // What leaves the wallet has all its digits.
  expect((await reviewOf(one('sell with all digits'))).steps[0]?.payment?.[0]).toEqual({
    label: 'You sell',
    amount: expect.stringMatching(/^12,345\.678901 of the token/),
  })
  const [payment, opened] = await named('PATCH')
  expect(payment?.payment).toEqual([
    { label: 'You pay', amount: '0.5 SOL' },
    {
      label: 'You get at least',
      // All digits are in the text of the step.
      amount: expect.stringMatching(/^[\d,]+ PATCH$/),
      isLeast: true,
    },
  ])
  expect(opened?.text).toBe('Open your wallet’s account for PATCH, if needed')
  // Anyone can call a token so.
  for (const symbol of ['SOL', 'wSOL', '$usdc'])
    expect((await named(symbol))[0]?.text, symbol).toMatch(/ \(token \w+…\w+\)$/)
  expect((await named('חתול'))[0]?.text).toMatch(/ \u2068חתול\u2069$/)
  expect((await reviewOf(one('deposit'))).steps[0]).toMatchObject({
    text: expect.stringMatching(/^Deposit 1 SOL in the launch pool/),
    movedLamports: SOL,
  })
  expect((await textsOf('withdraw'))[0]).toMatch(/^Take 0\.25 SOL out of your deposit in the launch pool/)
  expect((await textsOf('claim cloud-cellar 0'))[0]).toMatch(
    /^Refund your deposit in the launch pool .*, less the deposit fee/,
  )
  expect(await textsOf('claim unlocked')).toEqual([
    expect.stringMatching(/^Claim the tokens and the proceeds that .* has for your wallet$/),
  ])
  expect((await textsOf('claim tollgate 0')).at(-1)).toMatch(
    /^Claim what the launch pool .* owes your wallet/,
  )
  const graduation = Object.keys(all).filter(name => name.startsWith('graduate'))
  expect((await textsOf(graduation.at(-1) as string)).at(-1)).toMatch(/^Create the launch’s liquidity pool/)
})

test('another launch, another token, a larger amount or a lower minimum than the page showed is refused', async () => {
  const other = createKeypair().address
  for (const name of Object.keys(all)) {
    // A swap in a pool doesn't name the launch, but the page finds the pool by it.
    if (!name.endsWith('harbour-cat'))
      expect(await askedFor(name, { genesis: other }), name).toMatch(/launch/)
    expect(await askedFor(name, { baseMint: other }), name).toMatch(/doesn’t know the token/)
  }
  for (const name of ['buy patchbot', 'sell patchbot', 'buy harbour-cat', 'sell harbour-cat']) {
    const { amountIn, minAmountOut, side } = one(name).intent as Extract<Intent, { kind: 'swap' }>
    expect(await askedFor(name, { amountIn: amountIn - 1n })).toMatch(/You asked for/)
    expect(await askedFor(name, { minAmountOut: minAmountOut + 1n })).toMatch(/This page showed at least/)
    expect(await askedFor(name, { side: side === 'buy' ? 'sell' : 'buy' })).toMatch(/\w/)
    expect(await askedFor(name, { quoteMint: other })).toMatch(/\w/)
  }
  expect(await askedFor('deposit', { amount: SOL - 1n })).toMatch(/You asked for/)
  expect(await askedFor('deposit', { maxCost: SOL - 1n })).toMatch(/This page showed at most/)
  expect(await askedFor('withdraw', { amount: SOL / 4n + 1n })).toMatch(/You asked for/)
  for (const name of ['deposit', 'withdraw', 'claim tollgate 0', 'graduate 0'])
    expect(await askedFor(name, { kind: 'swap', side: 'buy' })).toMatch(/has no trade/)
  expect(await askedFor('deposit', { kind: 'withdraw-deposit' })).toMatch(/has no withdrawal/)
})

test('a page that was told wrong decimals can’t have anything signed', async () => {
  for (const name of Object.keys(all))
    expect(await askedFor(name, { quoteDecimals: 10 }), name).toMatch(/10 decimals .* It has 9/)
  expect(await askedFor('sell patchbot', { baseDecimals: 5 })).toMatch(/5 decimals .* It has 6/)
  expect(await askedFor('sell patchbot', { quoteMint: createKeypair().address })).toMatch(/doesn’t know/)
})

test('a limit far below what the chain’s own figures give is not signed, on a curve and in a pool', async () => {
  const { rpcUrl } = world.chainOf().local
  for (const name of ['buy patchbot', 'sell patchbot', 'buy harbour-cat', 'sell harbour-cat']) {
    const { intent, wallet } = one(name) as { intent: SwapIntent; wallet: Address }
    const { genesis, side, amountIn } = intent
    const quote = `${service().url}/v1/launches/${genesis}/quote?side=${side}&amount=${amountIn}&slippageBps=0`
    const { data } = (await (await fetch(quote)).json()) as Json
    const out = BigInt(data.amountOut)
    const check = async (change: Partial<SwapIntent>, url = rpcUrl) => {
      const asked = { ...intent, amountOut: out, minAmountOut: out, slippageBps: 100, ...change }
      return assertPrice(await readFacts(place(url), asked, wallet), asked)
    }
    // One percent, and half a percent for a price that has become better.
    const least = (out * 9_850n) / 10_000n
    for (const minAmountOut of [out, least])
      expect(await check({ minAmountOut })).toEqual({ side, bps: data.priceImpactBps })
    const moved = { code: 'PRICE_MOVED', details: [{ path: 'minAmountOut' }] }
    for (const minAmountOut of [least - 1n, out / 2n, 0n])
      await expect(check({ minAmountOut }), name).rejects.toMatchObject(moved)
    await check({ minAmountOut: out / 2n, slippageBps: 5_000 })
    // More than it gives, by less than half a percent and by one percent.
    await check({ amountOut: (out * 10_049n) / 10_000n })
    await expect(check({ amountOut: out + out / 100n + 2n }), name).rejects.toMatchObject(moved)
    await expect(check({ amountIn: 2n * amountIn })).rejects.toMatchObject(moved)
    await expect(check({ baseMint: MALLORY })).rejects.toThrow(/has different tokens/)
    await expect(check({ genesis: MALLORY })).rejects.toThrow(WrongAnswer)
    await expect(check({}, 'http://127.0.0.1:1')).rejects.toThrow(TypeError)
  }
})

test('what a deposit is for is computed from the chain, and is the same as an honest service says', async () => {
  const key = createKeypair()
  world.chainOf().local.airdrop(key.address, 20n * SOL)
  for (const [slug, label, later] of [
    ['paper-lighthouse', 'Your share, if it ended now', 'Added to your share, if it ended now'],
    ['cold-harbour', 'Yours, at the fixed price', 'Added, at the fixed price'],
  ] as const) {
    const body = { wallet: key.address, amount: `${SOL}` }
    const asked = { kind: 'deposit' as const, amount: SOL, maxCost: SOL, baseSymbol: 'CAT' }
    const read = async () => {
      const { built, cases } = await build(slug, 'deposit', key, body, asked)
      const { intent, facts } = (cases as [ReviewCase])[0]
      return { built, outlook: findOutlook(facts as Facts, intent) }
    }
    const said = ({ position }: Json) => `${formatSaid(position.entitled, 6)} CAT`
    const first = await read()
    expect(first.outlook).toMatchObject({
      expects: { label, amount: said(first.built) },
      fee: { label: 'Fee 2%, included', amount: `${formatExactly(first.built.cost.fee, 9)} SOL` },
    })
    expect(await land(world.chainOf().local, first.built, key)).toBeNull()
    const second = await read()
    const added = BigInt(second.built.position.entitled) - BigInt(first.built.position.entitled)
    expect(second.outlook?.expects).toMatchObject({
      label: later,
      amount: `${formatSaid(added, 6)} CAT`,
      note: expect.stringContaining(`${said(second.built)} in total`),
    })
  }
})

test('the pool of a graduated launch is found by its terms, with what it holds for trading', async () => {
  const { rpcUrl } = world.chainOf().local
  const signal = AbortSignal.timeout(60_000)
  const read = async (slug: string) => {
    const { genesisAddress, mint } = demoLaunch(world, slug)
    const { poolBucket = '' } = await readTerms(rpcUrl, genesisAddress, signal)
    const mints = { baseMint: mint, quoteMint: WRAPPED_NATIVE_MINT }
    return readPool({ rpcUrl, network: 'chain-mainnet', signal }, mints, poolBucket)
  }
  // Half a SOL was traded above.
  const pool = await read('harbour-cat')
  const { base = 0n, quote = 0n } = pool?.reserves ?? {}
  expect([quote > 85n * SOL, quote <= 85n * SOL + SOL / 2n]).toEqual([true, true])
  expect([base > 198_000_000_000_000n, base < 200_000_000_000_000n]).toEqual([true, true])
  // 0.25 % for the pool, and 1 % for the creator.
  expect(pool?.fee).toBe(0.0125)
  expect(await read('patchbot')).toBeNull()
})

/** The same case if another key may spend from the wallet's wrapped account. */
const delegated = ({ facts, ...rest }: ReviewCase): ReviewCase => ({
  ...rest,
  facts: { ...facts, wrapped: { ...facts?.wrapped, isDelegated: true } } as Facts,
})

/** What the service then builds: nothing after the main instruction, which is the longest. */
const withoutRest = (given: ReviewCase) => ({
  ...delegated(given),
  wire: rebuild(given.wire, ({ instructions }) => {
    const sizes = instructions.map(({ keys }) => keys.length)
    instructions.splice(sizes.indexOf(Math.max(...sizes)) + 1)
  }),
})

test('what arrives in an account for wrapped SOL and stays there is said before and after signing', async () => {
  const isWrapped = expect.objectContaining({ text: expect.stringMatching(/^What arrives stays wrapped/) })
  for (const name of ['sell', 'withdraw', 'refund'].map(start => `${start} with wrapped funds`)) {
    const given = one(name) ?? one(`${name} 0`)
    expect((await reviewOf(given)).steps, name).not.toContainEqual(isWrapped)
    const { steps } = await reviewOf(withoutRest(given))
    expect(steps, name).toContainEqual(isWrapped)
    expect(steps.find(({ done }) => done)?.done, name).toMatch(/account for wrapped SOL/)
  }
  const bought = await reviewOf(withoutRest(one('buy with wrapped funds')))
  expect(bought.steps).not.toContainEqual(isWrapped)
})

test('a deposit can spend only what its transaction wraps, or the review says that it can spend more', async () => {
  const given = one('deposit with wrapped funds')
  expect((await textsOf('deposit with wrapped funds'))[0]).not.toMatch(/penalty/)
  const more = rebuild(given.wire, ({ instructions }) => {
    const at = instructions.findIndex(({ programId }) => programId.equals(SystemProgram.programId))
    const lamports = new Uint8Array(new BigUint64Array([SOL + rentFor(165) + 1n]).buffer)
    instructions[at] = withBytes(instructions[at] as TransactionInstruction, 4, lamports)
  })
  expect(await refusalOf({ ...given, wire: more })).toMatch(/This page showed at most 1 SOL/)
  let wrap: TransactionInstruction[] = []
  rebuild(one('buy with wrapped funds').wire, ({ instructions }) => {
    const at = instructions.findIndex(({ programId }) => programId.equals(SystemProgram.programId))
    wrap = instructions.slice(at, at + 2)
  })
  const shared = rebuild(given.wire, ({ instructions }) => {
    const deposit = instructions.find(({ keys }) => keys.length > 9) as TransactionInstruction
    instructions.splice(1, instructions.length, ...wrap, deposit)
  })
  const { steps } = await reviewOf(delegated({ ...given, wire: shared }))
  expect(steps[0]?.text).toMatch(/, plus any penalty of the launch$/)
})

test('a deposit wraps at least its amount, unless the page showed that less is left', async () => {
  const given = one('deposit')
  const wire = rebuild(given.wire, ({ instructions }) => {
    const at = instructions.findIndex(({ programId }) => programId.equals(SystemProgram.programId))
    const half = new Uint8Array(new BigUint64Array([SOL / 2n]).buffer)
    instructions[at] = withBytes(instructions[at] as TransactionInstruction, 4, half)
  })
  expect(await refusalOf({ ...given, wire })).toMatch(/wraps only 0\.5 SOL/)
  const intent = { ...given.intent, isPartial: true } as Intent
  const { steps } = await reviewOf({ ...given, intent, wire })
  expect(steps.map(({ detail }) => detail).join()).toContain('It wraps at most 0.5 SOL')
})

const wordsOf = async (given: ReviewCase) =>
  reviewOf(given).then(
    review => JSON.stringify(review, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    (error: unknown) => {
      if (error instanceof UnexpectedTransactionError) return undefined
      throw error
    },
  )

test('an added instruction, or Mallory in the place of any account, is refused', async () => {
  for (const [name, given] of Object.entries(all)) {
    let keys: number[] = []
    const added = rebuild(given.wire, ({ instructions, payerKey }) => {
      keys = instructions.map(instruction => instruction.keys.length)
      const pay = { fromPubkey: payerKey, toPubkey: mallory, lamports: 1 }
      instructions.push(SystemProgram.transfer(pay))
    })
    expect(await refusalOf({ ...given, wire: added }), name).toMatch(/\w/)
    for (const [at, count] of keys.entries())
      for (let index = 0; index < count; index++) {
        const wire = rebuild(given.wire, ({ instructions }) => swapAccount(instructions[at], index))
        expect(
          await wordsOf({ ...given, wire }),
          `${name}, account ${index} of instruction ${at}`,
        ).toBeUndefined()
      }
  }
})

test('a transaction that leaves out the trade, the deposit, or the closing of its own account is refused', async () => {
  for (const name of Object.keys(all).filter(name => /^(buy|sell|deposit|withdraw)/.test(name))) {
    const given = one(name)
    let open: boolean[] = []
    rebuild(given.wire, ({ instructions }) => {
      // An account that exists need not be opened.
      open = instructions.map(({ data }) => data.length === 1 && data[0] === 1)
    })
    for (const at of open.keys())
      if (!open[at])
        expect(
          await refusalOf({
            ...given,
            wire: rebuild(given.wire, ({ instructions }) => void instructions.splice(at, 1)),
          }),
          `${name} without instruction ${at}`,
        ).toMatch(/\w/)
  }
})

test('a trade with a lower minimum in its bytes is refused', async () => {
  for (const name of ['buy patchbot', 'sell patchbot', 'buy harbour-cat', 'sell harbour-cat']) {
    const given = one(name)
    const wire = rebuild(given.wire, ({ instructions }) => {
      const at = instructions.findIndex(({ data }) => data.length >= 24)
      const trade = instructions[at] as TransactionInstruction
      instructions[at] = withBytes(trade, trade.data.length - 8, new Uint8Array(8))
    })
    expect(await refusalOf({ ...given, wire })).toMatch(/may give as little as 0 /)
  }
})

test('with one changed byte it is refused, has the same effect, or is described in other words', async () => {
  const cases = Object.values(all)
  const before = await Promise.all(cases.map(wordsOf))
  expect(before).not.toContain(undefined)
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: cases.length - 1 }),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (number, at, mask) => {
        const given = cases[number] as ReviewCase
        const start = messageStart(given.wire)
        const index = start + (at % (given.wire.length - start))
        const wire = given.wire.with(index, (given.wire[index] as number) ^ mask)
        if ((await wordsOf({ ...given, wire })) === before[number])
          expect(effectOf(wire)).toBe(effectOf(given.wire))
      },
    ),
    { numRuns: 200 },
  )
})
