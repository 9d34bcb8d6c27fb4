import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { rentFor } from '@slipway/local-chain/conditions'
import type { Address } from '@slipway/schema/address'
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, test } from 'vitest'
import { sumCosts } from '../src/actions/costs.ts'
import type { Facts } from '../src/transactions/facts.ts'
import { type Intent, reviewTransactions, UnexpectedTransactionError } from '../src/transactions/review.ts'
import type { Simulation } from '../src/transactions/simulate.ts'
import {
  type ReviewCase as Case,
  MALLORY,
  mallory,
  NO_FACTS,
  rebuild,
  refusalOf,
  reviewOf as review,
  swapAccount,
  withBytes,
} from './test-rebuild.ts'
import { claimCase, collectTransactions } from './test-transactions.ts'

const NO_CHANGES = { ownDeposits: 0n, otherDeposits: 0n, returnedDeposits: 0n, tokens: [] }

const refused = async (one: Case, change: Parameters<typeof rebuild>[1]) =>
  refusalOf({ ...one, wire: rebuild(one.wire, change) })

/** What Core takes for executing an instruction. */
const EXECUTE = rentFor(7) - rentFor(0)
/** Two signatures, an asset and its identity, and Core's fee. */
const MINT_COST = 10_000n + rentFor(281) + rentFor(104) + rentFor(87) + 3_600n

test('the page says what the transactions of a running service do, and what a simulation says', async () => {
  const { mint, fund, withdraw, simulations } = await collectTransactions()
  const short = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`
  const { agent } = mint.intent as { agent: Address } & Intent
  const [agentWallet, wallet] = [assetSignerAddress(agent), mint.wallet]
  expect(await review(mint)).toEqual({
    steps: [
      {
        text: `Create the agent “Ferrywright” at ${short(agent)}, owned by your wallet`,
        detail: `Asset ${agent}, owner ${wallet}, document https://a.example/ferrywright.json`,
      },
      {
        text: 'Register it as an agent, described by a document at slipway.example',
        detail: expect.stringMatching(/^Identity \w+, document https:\/\/slipway\.example\/v1\/documents\//),
      },
    ],
    feeLamports: 10_000n,
    signers: [wallet, agent],
  })
  expect(await review(fund)).toEqual({
    steps: [
      {
        text: `Move 0.25 SOL from your wallet to the agent’s wallet ${short(agentWallet)}`,
        detail: `From ${wallet} to ${agentWallet}, the wallet of the agent ${agent}`,
        movedLamports: 250_000_000n,
      },
      { text: 'Publish the note “For the night ferry ⛴” with it' },
    ],
    feeLamports: 5_000n,
    signers: [wallet],
  })
  expect((await review(withdraw)).steps).toEqual([
    {
      text: `Move 0.25 SOL from the agent’s wallet ${short(agentWallet)} to your wallet`,
      detail: `From ${agentWallet}, the wallet of the agent ${agent}, to ${wallet}`,
      movedLamports: -250_000_000n,
    },
  ])
  expect(simulations).toEqual({
    mint: {
      outcome: 'ok',
      walletChangeLamports: -MINT_COST,
      accounts: { ...NO_CHANGES, otherDeposits: expect.any(BigInt) },
      unitsConsumed: expect.any(Number),
    },
    fund: {
      outcome: 'ok',
      walletChangeLamports: -250_005_000n,
      accounts: NO_CHANGES,
      unitsConsumed: expect.any(Number),
    },
    withdrawFromEmpty: {
      outcome: 'fails',
      reason: 'There isn’t enough SOL for this.',
      logs: expect.arrayContaining([expect.stringMatching(/^Program 1{32} failed/)]),
    },
    // Core takes a fee of its own.
    withdraw: {
      outcome: 'ok',
      walletChangeLamports: 250_000_000n - 5_000n - EXECUTE,
      accounts: NO_CHANGES,
      unitsConsumed: expect.any(Number),
    },
  })
})

test('what is sent, the fees, and the rent add up to the change of the balance', async () => {
  const { mint, fund, withdraw, simulations } = await collectTransactions()
  const costs = async (one: Case, simulation: Simulation) =>
    sumCosts([{ review: await review(one), simulation }])
  const minting = await costs(mint, simulations.mint)
  expect(minting).toMatchObject({ fee: 10_000n, moved: 0n, change: -MINT_COST, neededMin: MINT_COST })
  expect(minting.parts?.otherDeposits).toBeGreaterThan(rentFor(281) + rentFor(104))
  const funding = await costs(fund, simulations.fund)
  expect(funding).toMatchObject({ moved: 250_000_000n, fee: 5_000n, change: -250_005_000n })
  // Core takes a fee for executing an instruction.
  const withdrawal = await costs(withdraw, simulations.withdraw)
  expect(withdrawal).toMatchObject({
    ...{ moved: -250_000_000n, fee: 5_000n, change: 250_000_000n - 5_000n - EXECUTE },
    parts: { programFees: EXECUTE, otherDeposits: 0n },
  })
  for (const { fee, moved, parts, change } of [minting, funding, withdrawal]) {
    const { ownDeposits = 0n, otherDeposits = 0n, programFees = 0n, received = 0n } = parts ?? {}
    expect(received - (fee + moved + ownDeposits + otherDeposits + programFees)).toBe(change)
  }

  // What can't be known is not shown.
  expect(await costs(withdraw, simulations.withdrawFromEmpty)).toMatchObject({
    change: undefined,
    parts: undefined,
  })
  const more = { outcome: 'ok', walletChangeLamports: 0n, accounts: NO_CHANGES } as const
  expect(await costs(fund, more)).toMatchObject({ change: 0n, parts: { programFees: 0n } })
  const rows = [{ review: await review(fund), simulation: simulations.fund }, { review: await review(mint) }]
  expect(sumCosts(rows)).toMatchObject({ fee: 15_000n, change: undefined, parts: undefined })
})

const encode = (text: string) => Buffer.from(text)

test('a funding that pays someone else, pays more, or does anything else is refused', async () => {
  const { fund, withdraw } = await collectTransactions()
  const wallet = new PublicKey(fund.wallet)
  const attack = (change: Parameters<typeof rebuild>[1]) => refused(fund, change)
  expect(await attack(({ instructions: [transfer] }) => swapAccount(transfer, 1))).toMatch(
    `names ${MALLORY} as the recipient`,
  )
  expect(
    await attack(({ instructions }) => {
      instructions[0] = withBytes(instructions[0] as TransactionInstruction, 4, [0, 0, 0, 0, 1])
    }),
  ).toBe('The transaction moves 4.294967296 SOL. This page expected 0.25 SOL.')
  expect(
    await attack(({ instructions }) => {
      instructions[1] = withBytes(instructions[1] as TransactionInstruction, 0, encode('Sod'))
    }),
  ).toBe('The transaction has a different note from the one you wrote.')
  expect(
    await attack(({ instructions }) =>
      instructions.push(SystemProgram.transfer({ fromPubkey: wallet, toPubkey: mallory, lamports: 1 })),
    ),
  ).toMatch('3 instructions, not 2')
  expect(await attack(({ instructions }) => instructions.pop())).toBe(
    'The transaction does less than this page said.',
  )
  expect(
    await attack(({ instructions }) => {
      instructions[1] = new TransactionInstruction({ programId: mallory, keys: [], data: Buffer.alloc(0) })
    }),
  ).toMatch(`calls the program ${MALLORY}`)
  // `Assign` would give the whole wallet to another program.
  expect(
    await attack(({ instructions }) => {
      instructions[0] = SystemProgram.assign({ accountPubkey: wallet, programId: mallory })
    }),
  ).toMatch('an instruction that this page didn’t expect')
  // With a nonce in place of the blockhash, the transaction would stay valid for ever.
  expect(
    await attack(({ instructions }) =>
      instructions.unshift(SystemProgram.nonceAdvance({ noncePubkey: mallory, authorizedPubkey: wallet })),
    ),
  ).toMatch('3 instructions, not 2')
  for (const one of [fund, withdraw]) {
    const lie = { ...one, intent: { ...one.intent, agentWallet: MALLORY } as Intent }
    await expect(review(lie)).rejects.toThrow(`showed ${MALLORY} as the agent’s wallet`)
  }
  const noMemo = { ...fund, intent: { ...fund.intent, memo: undefined } as Intent }
  await expect(review(noMemo)).rejects.toThrow('2 instructions, not 1')
})

test('a transaction with another payer, another signer, a lookup table or another format is refused', async () => {
  const { fund, mint } = await collectTransactions()
  expect(
    await refused(fund, parts => {
      parts.payerKey = mallory
    }),
  ).toMatch('not by your wallet')
  await expect(review({ ...fund, wallet: MALLORY })).rejects.toThrow('not by your wallet')
  expect(
    await refused(fund, ({ instructions: [, memo] }) =>
      memo?.keys.push({ pubkey: mallory, isSigner: true, isWritable: false }),
    ),
  ).toMatch(`needs the signature of ${MALLORY}`)

  const unsigned = mint.wire.slice().fill(0, 65, 129)
  await expect(review({ ...mint, wire: unsigned })).rejects.toThrow('is missing or wrong')
  const forged = mint.wire.with(70, (mint.wire[70] as number) ^ 1)
  await expect(review({ ...mint, wire: forged })).rejects.toThrow('is missing or wrong')

  const { message } = VersionedTransaction.deserialize(fund.wire)
  const parts = TransactionMessage.decompile(message)
  const table = new AddressLookupTableAccount({
    key: mallory,
    state: {
      deactivationSlot: 2n ** 64n - 1n,
      lastExtendedSlot: 0,
      lastExtendedSlotStartIndex: 0,
      addresses: message.staticAccountKeys.slice(1),
    },
  })
  const looked = new VersionedTransaction(parts.compileToV0Message([table])).serialize()
  await expect(review({ ...fund, wire: looked })).rejects.toThrow('lookup table')
  const legacy = new VersionedTransaction(parts.compileToLegacyMessage()).serialize()
  await expect(review({ ...fund, wire: legacy })).rejects.toThrow('a format that this page doesn’t know')
  for (const wire of [
    Uint8Array.of(...fund.wire, 0),
    fund.wire.slice(0, -1),
    new Uint8Array(0),
    new Uint8Array(2_000),
  ])
    await expect(review({ ...fund, wire })).rejects.toThrow(UnexpectedTransactionError)
})

test('a priority fee is refused, because no page asks for one', async () => {
  const { fund } = await collectTransactions()
  const price = (microLamports: bigint) => ComputeBudgetProgram.setComputeUnitPrice({ microLamports })
  const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })
  const priced = (...budget: TransactionInstruction[]) => ({
    ...fund,
    wire: rebuild(fund.wire, ({ instructions }) => instructions.unshift(...budget)),
  })
  for (const budget of [[price(0n)], [limit(30_000), price(1_000_001n)]])
    await expect(review(priced(...budget))).rejects.toThrow('a priority fee, which this page didn’t ask for')
  const odd = [limit(1), ComputeBudgetProgram.requestHeapFrame({ bytes: 65_536 })]
  for (const budget of odd) await expect(review(priced(budget))).rejects.toThrow('3 instructions, not 2')
})

test('more transactions than the page signs at once are refused', async () => {
  const { wire, intent, wallet, facts } = claimCase()
  const several = (count: number) =>
    reviewTransactions(Array(count).fill(wire), intent, wallet, facts as Facts)
  expect(await several(20)).toHaveLength(20)
  await expect(several(21)).rejects.toThrow('21 transactions. This page signs at most 20 at once.')
})

test('a withdrawal that Core would execute in any other way is refused', async () => {
  const { withdraw } = await collectTransactions()
  const attack = (change: (execute: TransactionInstruction) => void) =>
    refused(withdraw, ({ instructions }) => change(instructions[0] as TransactionInstruction))
  expect(await attack(execute => swapAccount(execute, 8))).toMatch(`names ${MALLORY} as the recipient`)
  // From the owner's own wallet, whose signature Core passes on, to someone else.
  expect(
    await attack(execute => {
      swapAccount(execute, 7, new PublicKey(withdraw.wallet))
      swapAccount(execute, 8)
    }),
  ).toMatch('as the sender')
  expect(await attack(execute => swapAccount(execute, 0))).toMatch('as the agent')
  expect(await attack(execute => swapAccount(execute, 2))).toMatch('as the agent’s wallet')
  expect(await attack(execute => swapAccount(execute, 4))).toMatch('as the authority')
  expect(await attack(execute => swapAccount(execute, 6))).toMatch(`${MALLORY} as the program to call`)
  expect(await attack(execute => execute.data.writeUInt32LE(1, 5))).toMatch('didn’t expect')
  expect(await attack(execute => execute.data.writeUInt32LE(1, 9))).toMatch('This page expected 0.25 SOL')
  expect(await attack(execute => execute.data.writeUInt8(30, 0))).toMatch('didn’t expect')
  expect(
    await attack(execute => {
      execute.keys.push({ pubkey: mallory, isSigner: false, isWritable: true })
    }),
  ).toMatch('more accounts')
  // The page reads the agent's collection from the chain, and shows it.
  const collection = rebuild(withdraw.wire, ({ instructions: [execute] }) => {
    swapAccount(execute, 1)
    Object.assign(execute?.keys[1] as object, { isWritable: true })
  })
  expect(await refusalOf({ ...withdraw, wire: collection })).toMatch(`${MALLORY} as the agent’s collection`)
  const facts = { ...NO_FACTS, agent: { collection: MALLORY, held: [] } }
  expect((await review({ ...withdraw, wire: collection, facts })).steps[0]?.detail).toMatch(
    `collection is ${MALLORY}`,
  )
})
