import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getGenesisErrorFromCode } from '@metaplex-foundation/genesis'
import { identity } from '@metaplex-foundation/mpl-agent-registry'
import { getMplCoreErrorFromCode } from '@metaplex-foundation/mpl-core'
import * as programs from '@slipway/launch-model/programs'
import { expect, onTestFinished, test } from 'vitest'
import {
  CORE_ERRORS,
  explainFailure,
  GENESIS_ERRORS,
  IDENTITY_ERRORS,
} from '../src/transactions/explain-failure.ts'
import { simulateTransaction } from '../src/transactions/simulate.ts'

test('the names of errors are those of the official clients, and none is missing', () => {
  const official = [
    [GENESIS_ERRORS, getGenesisErrorFromCode],
    [CORE_ERRORS, getMplCoreErrorFromCode],
    [IDENTITY_ERRORS, identity.getMplAgentIdentityErrorFromCode],
  ] as const
  for (const [names, errorOf] of official)
    expect([...names, undefined]).toEqual(
      [...names, 'one more'].map((_, code) => errorOf(code, {} as never)?.name),
    )
})

const failedIn = (...failed: string[]) =>
  failed.flatMap(program => [
    `Program ${program} invoke [1]`,
    `Program ${program} failed: custom program error`,
  ])
const custom = (code: number) => ({ InstructionError: [0, { Custom: code }] })

test.each([
  ['BlockhashNotFound', [], 'The transaction has expired. Try again with a new one.'],
  ['InsufficientFundsForFee', [], 'Your wallet doesn’t have enough SOL for the fee.'],
  ['TooManyAccountLocks', [], 'The network refused it: too many account locks.'],
  [{ InsufficientFundsForRent: { account_index: 1 } }, [], /^An account would be left with too little SOL/],
  [{ DuplicateInstruction: 1 }, [], 'The network refused it: duplicate instruction.'],
  [custom(1), failedIn(programs.SYSTEM_PROGRAM, programs.CORE_PROGRAM), 'There isn’t enough SOL for this.'],
  [custom(0), failedIn(programs.SYSTEM_PROGRAM), /^An account that this would create exists already/],
  [custom(26), failedIn(programs.CORE_PROGRAM), /isn’t the owner/],
  [custom(25), failedIn(programs.CORE_PROGRAM), 'The agent’s program (Core) refused it: missing collection.'],
  [
    custom(9),
    failedIn(programs.IDENTITY_PROGRAM),
    'The registry of agents refused it: agent identity already registered.',
  ],
  // kit reads numbers as bigint.
  [
    { InstructionError: [1n, { Custom: 44n }] },
    failedIn(programs.GENESIS_PROGRAM),
    'The launch’s program (Genesis) refused it: genesis account not finalized.',
  ],
  [custom(6_000), failedIn(programs.RAYDIUM_PROGRAMS.mainnet), 'Trading has not started.'],
  [
    custom(6_001),
    failedIn(programs.RAYDIUM_PROGRAMS.mainnet),
    'The pool’s program (Raydium) refused it: error 6001.',
  ],
  [custom(87), failedIn(programs.GENESIS_PROGRAM), 'The price has moved beyond your limit.'],
  [custom(21), failedIn(programs.GENESIS_PROGRAM), 'Deposits have ended.'],
  // The token program's number for too little, which is another one's here.
  [
    custom(1),
    failedIn(programs.GENESIS_PROGRAM),
    'The launch’s program (Genesis) refused it: deserialization error.',
  ],
  [custom(7), [], 'A program refused it: error 7.'],
  [{ InstructionError: [0, 'MissingRequiredSignature'] }, [], 'A signature is missing.'],
  [
    { InstructionError: [0, 'InvalidArgument'] },
    failedIn(programs.SYSTEM_PROGRAM),
    'The system program refused it: invalid argument.',
  ],
  [null, [], 'The network refused it without a reason.'],
  [{}, [], 'The network refused it without a reason.'],
])('failure %# is explained in plain words', (error, logs, expected) => {
  expect(explainFailure(error, logs)).toMatch(expected)
})

/** A stand-in for a node that gives this answer to every call. */
async function startNode(answer: unknown): Promise<string> {
  const server = createServer((_, response) => {
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a node that is unreachable, refuses or answers nonsense leaves the outcome unknown', async () => {
  const simulate = (url: string, signal = AbortSignal.timeout(60_000)) =>
    simulateTransaction(url, new Uint8Array(10), programs.WRAPPED_NATIVE_MINT, signal)
  const unusable = { outcome: 'unknown', reason: 'The node’s answer can’t be used.' }
  expect(await simulate('http://127.0.0.1:9')).toEqual({
    outcome: 'unknown',
    reason: 'The node can’t be reached.',
  })
  expect(await simulate(await startNode('<html>'))).toEqual({
    outcome: 'unknown',
    reason: 'The node can’t be reached.',
  })
  expect(await simulate(await startNode({ error: { code: -32_005, message: 'Node is behind' } }))).toEqual({
    outcome: 'unknown',
    reason: 'The node didn’t simulate the transaction: Node is behind',
  })
  for (const answer of [{}, { result: null }, { result: { value: { err: null } } }, { result: { value: 5 } }])
    expect(await simulate(await startNode(answer))).toEqual(unusable)
  await expect(simulate('http://127.0.0.1:9', AbortSignal.abort())).rejects.toThrow('abort')
})
