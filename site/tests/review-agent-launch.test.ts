import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { CORE_PROGRAM } from '@slipway/launch-model/programs'
import {
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { expect, test } from 'vitest'
import { reviewTransactions } from '../src/transactions/review.ts'
import { MALLORY, mallory, NO_FACTS, rebuild, refusalOf, swapAccount } from './test-rebuild.ts'
import { collectTransactions, type LaunchCase } from './test-transactions.ts'

type Change = (instructions: TransactionInstruction[]) => void

/** Why a launch is refused if one of its transactions was changed. */
const refused = ({ wires, ...launch }: LaunchCase, at: number, change: Change) =>
  refusalOf({
    ...launch,
    wire: rebuild(wires.at(at) as Uint8Array, ({ instructions }) => change(instructions)),
  })

const EXECUTE = 31
/** The accounts of `execute` that come before those of the inner instruction. */
const [AGENT, AGENT_WALLET, PAYER, AUTHORITY, PROGRAM, INNER] = [0, 2, 3, 4, 6, 7]

/** Core's `execute` around another instruction, with the accounts of an `execute` of the same launch. */
function wrap(execute: TransactionInstruction, inner: TransactionInstruction): TransactionInstruction {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(inner.data.length)
  const keys = [
    ...execute.keys.slice(0, PROGRAM),
    { pubkey: inner.programId, isSigner: false, isWritable: false },
    // Core signs for the agent's wallet.
    ...inner.keys.map(key => ({ ...key, isSigner: false })),
  ]
  const data = Buffer.concat([Buffer.of(EXECUTE), length, inner.data])
  return new TransactionInstruction({ programId: execute.programId, keys, data })
}

const unwrap = (execute: TransactionInstruction) =>
  new TransactionInstruction({
    programId: execute.keys[PROGRAM]?.pubkey as PublicKey,
    keys: execute.keys.slice(INNER),
    data: execute.data.subarray(5),
  })

/** Of the first buy's transaction, which also makes the token the agent's own. */
const [SET_TOKEN, WRAP] = [0, 3]

const instructionsOf = (wire: Uint8Array) =>
  TransactionMessage.decompile(VersionedTransaction.deserialize(wire).message).instructions

test('a launch as another agent, for another owner or by another authority is refused', async () => {
  const { launches } = await collectTransactions()
  for (const launch of [launches['pool of an agent'], launches['curve of an agent']]) {
    const attack = (change: Change) => refused(launch, 1, change)
    expect(await attack(([first]) => swapAccount(first, AGENT))).toMatch(`${MALLORY} as the agent.`)
    expect(await attack(([first]) => swapAccount(first, AGENT_WALLET))).toMatch('as the agent’s wallet')
    expect(await attack(([first]) => swapAccount(first, PAYER))).toMatch('as the payer')
    expect(await attack(([first]) => swapAccount(first, AUTHORITY))).toMatch('as the authority')
    // The payer and the authority of the launch itself, inside.
    expect(await attack(([first]) => swapAccount(first, INNER + 5))).toMatch('as the payer')
    expect(await attack(([first]) => swapAccount(first, INNER + 6))).toMatch('as the authority')
    // Without the agent, the launch would be the wallet's.
    expect(await attack(all => all.splice(0, 1, unwrap(all[0] as TransactionInstruction)))).toMatch(
      'which this page didn’t expect here',
    )
  }
})

test('an agent that does anything besides the launch is refused', async () => {
  const { launches } = await collectTransactions()
  for (const launch of [launches['pool of an agent'], launches['curve of an agent']]) {
    const { agent, wallet } = { agent: launch.intent.agent?.mint as string, wallet: launch.wallet }
    const transferFrom = (from: string) =>
      SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: mallory, lamports: 1 })
    for (const from of [assetSignerAddress(agent as never), wallet])
      expect(
        await refused(launch, 1, all => all.push(wrap(all[0] as TransactionInstruction, transferFrom(from)))),
      ).toMatch(/doesn’t need here: transfer of SOL|separates two steps/)
    // An agent that executes for itself again could do whatever comes after.
    const nested: Change = all => {
      const first = all[0] as TransactionInstruction
      all.push(wrap(first, wrap(first, transferFrom(wallet))))
    }
    expect(await refused(launch, 1, nested)).toMatch(`calls the program ${CORE_PROGRAM}`)
  }
  // The owner pays for the first buy, and not through the agent.
  const through: Change = all =>
    all.splice(WRAP, 1, wrap(all[SET_TOKEN] as TransactionInstruction, all[WRAP] as TransactionInstruction))
  expect(await refused(launches['curve of an agent'], -1, through)).toMatch('didn’t expect')
})

test('the token becomes the agent’s own only if the person chose that', async () => {
  const { launches } = await collectTransactions()
  const [chosen, pool] = [launches['curve of an agent'], launches['pool of an agent']]
  const setToken = instructionsOf(chosen.wires.at(-1) as Uint8Array)[SET_TOKEN] as TransactionInstruction
  expect(await refused(pool, -1, all => all.splice(1, all.length - 1, setToken))).toMatch(
    'doesn’t need here: agent’s token',
  )
  // Nor that of another agent, or another launch.
  for (const [index, role] of [
    [0, 'the agent’s identity'],
    [1, 'the agent.'],
    [2, 'the launch'],
  ] as const)
    expect(await refused(chosen, -1, ([first]) => swapAccount(first, INNER + index))).toMatch(`as ${role}`)
  const without = rebuild(chosen.wires.at(-1) as Uint8Array, ({ instructions }) => void instructions.shift())
  await expect(
    reviewTransactions([...chosen.wires.slice(0, -1), without], chosen.intent, chosen.wallet, NO_FACTS),
  ).rejects.toThrow('leave out a step')
})

test('creator fees that go to an agent’s wallet go to no other', async () => {
  const { launches } = await collectTransactions()
  const launch = launches['curve that pays an agent']
  const texts = (await reviewTransactions(launch.wires, launch.intent, launch.wallet, NO_FACTS)).flatMap(
    ({ steps }) => steps.map(({ text }) => text),
  )
  expect(texts.filter(text => text.includes('creator fees'))).toEqual([
    'Set the terms of the bonding curve: creator fees go to the agent’s wallet',
    expect.stringMatching(/^Set the terms of the liquidity pool: .*creator fees go to the agent’s wallet$/),
  ])
  const agentWallet = new PublicKey(assetSignerAddress(launch.intent.agent?.mint as never)).toBuffer()
  let attacks = 0
  for (const [at, wire] of launch.wires.entries())
    for (const [index, { data }] of instructionsOf(wire).entries()) {
      const start = data.indexOf(agentWallet)
      if (start === -1) continue
      attacks += 1
      const steal: Change = all => void all[index]?.data.set(mallory.toBuffer(), start)
      expect(await refused(launch, at, steal)).toMatch(`says “creator fees to ${MALLORY}”`)
    }
  expect(attacks).toBe(2)
})
