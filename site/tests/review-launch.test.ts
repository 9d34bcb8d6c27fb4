import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { expect, test } from 'vitest'
import { changed } from '../../service/src/launches/creation/test-launches.ts'
import { reviewTransactions } from '../src/transactions/review.ts'
import { MALLORY, mallory, NO_FACTS, rebuild, refusalOf } from './test-rebuild.ts'
import { collectTransactions, type LaunchCase } from './test-transactions.ts'

const textsOf = async ({ wires, intent, wallet }: LaunchCase) =>
  (await reviewTransactions(wires, intent, wallet, NO_FACTS)).map(({ steps }) =>
    steps.map(({ text }) =>
      text.replace(/\d{4}-\d\d-(\d\d) at [\d:]{8}/g, 'DATE').replace(/\w{4}…\w{4}/g, 'ADDRESS'),
    ),
  )

test('the page says in words what each transaction of a launch does', async () => {
  const { launches } = await collectTransactions()
  expect(await textsOf(launches.pool)).toMatchInlineSnapshot(`
    [
      [
        "Create the token “Tidewater” (TIDE) with a supply of 1,000,000,000 tokens, and its launch",
      ],
      [
        "Offer 500,000,000 tokens in a launch pool. Deposits open on DATE UTC and close on DATE UTC",
        "Set the terms of the launch pool: deposit bonus from 20% to 0%, at most 20%, over 2 d, starting on DATE UTC; withdrawal penalty from 0% to 3.33%, at most 3.33%, over 2 d, starting on DATE UTC; goal 2 SOL",
      ],
      [
        "Send the proceeds of the sale: 50% to your wallet, 50% to the liquidity pool. The sale sets the opening price of the liquidity pool",
        "Let your wallet claim the 50% of the proceeds that you entered. Claims open at the graduation of the liquidity pool and never close",
        "Let your wallet claim 250,000,000 tokens. Claims open at the graduation of the liquidity pool and never close",
      ],
      [
        "Set aside 250,000,000 tokens for a liquidity pool, which can open on DATE UTC",
        "Set the terms of the liquidity pool: the liquidity is released every 91 d 5 h 59 m 42 s for 365 d, starting on DATE UTC, first 0% on DATE UTC",
        "Finalize the launch, after which it can’t change",
      ],
    ]
  `)
  expect(await textsOf(launches['curve of an agent'])).toMatchInlineSnapshot(`
    [
      [
        "Create the token “Tidewater” (TIDE) with a supply of 1,000,000,000 tokens, and its launch, as your agent ADDRESS",
      ],
      [
        "Offer 717,948,717.948717 tokens on a bonding curve. Trading opens at once and closes when the last token is sold",
        "Set the terms of the bonding curve: the first buy is reserved for your wallet, which pays 0.1 SOL; creator fees go to your wallet",
        "Send the proceeds of the sale: 100% to the liquidity pool. The sale sets the opening price of the liquidity pool",
      ],
      [
        "Set aside 282,051,282.051283 tokens for a liquidity pool, which can open at once",
        "Set the terms of the liquidity pool: the liquidity is locked for good; creator fees go to your wallet",
        "Finalize the launch, after which it can’t change",
      ],
      [
        "Make the new token the agent’s own, for good",
        "Open your wallet’s account for wrapped SOL, if needed",
        "Open your wallet’s account for the new token, if needed",
        "Set aside 0.1 SOL from your wallet for the first buy",
        "Turn it into wrapped SOL, which pays for the first buy",
        "Buy 2,146,104.847076 tokens or more for 0.1 SOL, before anyone else",
      ],
    ]
  `)
  const { wires, intent, wallet } = launches['curve of an agent']
  const details = (await reviewTransactions(wires, intent, wallet, NO_FACTS)).flatMap(({ steps }) =>
    steps.map(({ detail }) => detail),
  )
  expect(details.join('\n')).toContain(
    'liquidity locked for good (release every 1 s for 1 s, first 0% never)',
  )
  expect(details.join('\n')).toContain('trading closes when a transaction triggers it')
  for (const launch of Object.values(launches)) {
    const [first, ...rest] = await reviewTransactions(launch.wires, launch.intent, launch.wallet, NO_FACTS)
    expect(first).toMatchObject({ feeLamports: 10_000n, signers: [launch.wallet, launch.intent.mint] })
    for (const { signers } of rest) expect(signers).toEqual([launch.wallet])
  }
})

/** Why the transactions of a launch are refused if the person had entered something else at this path. */
async function refusedFor(
  { wires, intent, wallet }: LaunchCase,
  path: string,
  value: unknown,
): Promise<string> {
  const other = changed(intent, path, value) as LaunchCase['intent']
  return reviewTransactions(wires, other, wallet, NO_FACTS).then(
    () => `accepted with another ${path}`,
    (error: Error) => error.message,
  )
}

test('a launch that differs from what the person entered is refused, whatever differs', async () => {
  const { launches } = await collectTransactions()
  const { pool, curve } = launches
  const agentCurve = launches['curve of an agent']
  const time = '2031-01-01T00:00:00Z'
  const other = { type: 'TimeAbsolute', timestamp: time }
  const [first, flow] = ['launch.allocations.0.launchpoolV2', 'launch.allocations.0.launchpoolV2.fundFlows']
  const cases: [LaunchCase, string, unknown, string][] = [
    [pool, 'launch.name', 'Tidewatcher', 'says “name Tidewater”. You entered “name Tidewatcher”'],
    [pool, 'launch.symbol', 'TIDES', 'says “symbol'],
    [pool, 'launch.supply', 999_999_999, 'says “supply 1,000,000,000 tokens”'],
    [pool, 'launch.decimals', 7, 'says “'],
    [pool, 'launch.quoteMint', MALLORY, 'doesn’t know the token'],
    [pool, 'launch.allocations.0.supply', 400_000_000, 'says “amount'],
    [pool, `${first}.depositStartCondition`, other, 'deposits open'],
    [pool, `${first}.depositEndCondition`, other, 'deposits close'],
    [pool, `${first}.claimStartCondition`, other, 'claims open'],
    [pool, `${first}.claimEndCondition`, other, 'claims close'],
    [pool, `${first}.minimumQuoteTokenThreshold`, 250, 'says “goal 2 SOL”. You entered “goal 250 SOL”'],
    [pool, `${first}.minimumQuoteTokenThreshold`, undefined, 'You entered nothing of the kind'],
    [pool, `${first}.depositBonus.point1Bps`, 1_999, 'says “deposit bonus'],
    [pool, `${first}.depositBonus.enabled`, false, 'says “deposit bonus'],
    [pool, `${first}.withdrawPenalty.maxBps`, 334, 'says “withdrawal penalty'],
    [pool, `${flow}.0.percentageBps`, 4_999, 'says “proceeds'],
    [pool, `${flow}.0.recipient`, MALLORY, 'as the recipient'],
    [pool, `${flow}.1.supply`, 1, 'says “amount'],
    [pool, `${flow}.1.startCondition`, other, 'says “pool opens'],
    [pool, `${flow}.1.lpLockSchedule.duration`, 5, 'says “liquidity'],
    [pool, `${flow}.1.lpLockSchedule.enabled`, false, 'doesn’t need here: terms of the liquidity pool'],
    [pool, 'launch.allocations.1.unlockedV2.recipient', MALLORY, 'as the recipient'],
    [pool, 'launch.allocations.1.unlockedV2.claimStartCondition', other, 'claims open'],
    [pool, 'launch.supply', 'many', 'can’t be compared'],
    [pool, `${first}.depositEndCondition`, { type: 'TimeAbsolute', timestamp: 'soon' }, 'can’t be compared'],
    [pool, 'launch.finalize', false, 'doesn’t need here: finalization'],
    [pool, 'genesisAccount', MALLORY, `not at ${MALLORY}`],
    [pool, 'mint', MALLORY, 'needs the signature of'],
    [pool, 'agent', { mint: MALLORY }, 'didn’t expect'],
    [curve, 'launch.allocations.0.bondingCurveV2.virtualQuoteTokens', 56, 'virtual reserve'],
    [curve, 'launch.allocations.0.bondingCurveV2.virtualBaseTokens', 56, 'virtual tokens'],
    [curve, 'launch.allocations.0.bondingCurveV2.swapStartCondition', other, 'trading opens'],
    [curve, 'launch.allocations.0.bondingCurveV2.swapEndCondition', other, 'trading closes'],
    [curve, 'launch.allocations.0.bondingCurveV2.creatorFee.wallet', MALLORY, 'says “creator fees'],
    [curve, 'launch.allocations.0.bondingCurveV2.creatorFee.enabled', false, 'says “creator fees'],
    [curve, 'launch.allocations.0.bondingCurveV2.firstBuy.amount', 0.2, 'first buy'],
    [agentCurve, 'launch.allocations.0.bondingCurveV2.fundFlows.0.percentageBps', 9_999, 'says “proceeds'],
    [launches['pool of an agent'], `${first}.minimumQuoteTokenThreshold`, 3, 'says “goal 2 SOL”'],
    [curve, 'launch.allocations.0.bondingCurveV2.firstBuy.buyer', MALLORY, 'first buy'],
    [curve, 'launch.allocations.0.bondingCurveV2.firstBuy.enabled', false, 'first buy'],
    [curve, 'launch.allocations.0.bondingCurveV2.fundFlows.0.creatorFee.wallet', MALLORY, 'creator fees'],
    [agentCurve, 'agent.mint', MALLORY, 'as the agent'],
    [agentCurve, 'agent.setToken', false, 'doesn’t need here: agent’s token'],
    [agentCurve, 'agent', undefined, 'calls the program CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'],
  ]
  for (const [launch, path, value, message] of cases)
    expect.soft(await refusedFor(launch, path, value), path).toMatch(message)
})

test('a launch whose transactions leave out, repeat, separate or add a step is refused', async () => {
  const { launches } = await collectTransactions()
  const { curve, pool } = launches
  const all = (launch: LaunchCase, wires: Uint8Array[]) =>
    reviewTransactions(wires, launch.intent, launch.wallet, NO_FACTS)
  const [initialize, create, finish] = curve.wires as [Uint8Array, Uint8Array, Uint8Array]
  // A launch that is continued has only the rest.
  expect(await all(curve, [create, finish])).toHaveLength(2)
  expect(await all(curve, [finish])).toHaveLength(1)
  await expect(all(curve, [initialize])).rejects.toThrow('leave out a step')
  await expect(all(curve, [create])).rejects.toThrow('leave out a step')
  await expect(all(curve, [initialize, finish])).rejects.toThrow('leave out a step')
  await expect(all(curve, [initialize, create, create, finish])).rejects.toThrow('repeat a step')
  await expect(all(curve, [initialize, finish, create])).rejects.toThrow('in the wrong place')
  const without = (wire: Uint8Array, at: number) =>
    rebuild(wire, ({ instructions }) => void instructions.splice(at, 1))
  // Without the creator fees of the pool, and finalized: they could never be added.
  await expect(all(curve, [initialize, create, without(finish, 0)])).rejects.toThrow('leave out a step')
  // The curve alone: everyone could buy before the first buy is reserved.
  const one = (wire: Uint8Array) => refusalOf({ ...curve, wire })
  expect(await one(without(create, 1))).toMatch('separates two steps')
  expect(await one(rebuild(create, ({ instructions }) => void instructions.splice(1)))).toMatch(
    'separates two steps',
  )
  for (const at of [3, 4, 5, 6]) expect(await one(without(finish, at))).toMatch('separates two steps')
  expect(await one(without(finish, 2))).toMatch('separates two steps')
  const steal = SystemProgram.transfer({
    fromPubkey: new PublicKey(curve.wallet),
    toPubkey: mallory,
    lamports: 100_000_000,
  })
  for (const at of [0, 1, 3, 7])
    await one(rebuild(finish, ({ instructions }) => void instructions.splice(at, 0, steal)))
  expect(await one(rebuild(finish, ({ instructions }) => instructions.splice(4, 1, steal)))).toMatch(
    `${MALLORY} as the recipient`,
  )
  expect(
    await one(rebuild(finish, ({ instructions: [, , , , wrap] }) => void wrap?.data.writeUInt8(1, 4))),
  ).toMatch('This page expected 0.1 SOL')
  expect(
    await one(
      rebuild(finish, ({ instructions }) => instructions.push(instructions[1] as TransactionInstruction)),
    ),
  ).toMatch('doesn’t need here: finalization')
  const upgrade = new TransactionInstruction({ programId: mallory, keys: [], data: Buffer.alloc(0) })
  expect(
    await refusalOf({
      ...pool,
      wire: rebuild(pool.wires[1] as Uint8Array, ({ instructions }) => instructions.push(upgrade)),
    }),
  ).toMatch(`calls the program ${MALLORY}`)
})
