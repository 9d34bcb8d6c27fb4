import {
  GENESIS_PROGRAM,
  RAYDIUM_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'
import { findFailure, tradeFailureOf } from '@slipway/launch-model/trade/failures'
import { ERRORS } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { explainFailure } from './explain-failure.ts'
import { SlipwayError } from './slipway-error.ts'
import { TransactionError } from './submit/transaction-error.ts'

const PROGRAMS = [
  ...[GENESIS_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, SYSTEM_PROGRAM],
  ...Object.values(RAYDIUM_PROGRAMS),
]
const logsOf = (program: string, code: number) => [
  `Program ${program} invoke [2]`,
  `Program ${program} failed: custom program error: 0x${code.toString(16)}`,
  `Program CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d failed: custom program error: 0x${code.toString(16)}`,
]

test('the client explains exactly the numbers that the service knows, whichever program they come from', () => {
  const known = new Set<number>()
  for (let code = 0; code < 7_000; code++)
    for (const program of PROGRAMS) {
      const expected = tradeFailureOf(program, code)
      if (!expected) continue
      known.add(code)
      expect(findFailure(logsOf(program, code))).toEqual({ program, code })
      const explained = explainFailure(
        new TransactionError('failed', { cause: { logs: logsOf(program, code) } }),
      )
      expect(explained?.code).toBe(expected)
    }
  for (let code = 0; code < 7_000; code++)
    if (!known.has(code)) expect(explainFailure({ InstructionError: [3, { Custom: code }] })).toBeUndefined()
})

test('a balance that is too low for a penalty is explained', () => {
  expect(explainFailure({ logs: logsOf(GENESIS_PROGRAM, 81) })?.code).toBe('INSUFFICIENT_BALANCE')
})

test.each([
  ['a status of web3.js', { InstructionError: [5, { Custom: 87 }] }],
  ['a status of kit', { InstructionError: [5n, { Custom: 87n }] }],
  ['an error with logs', Object.assign(new Error('failed'), { logs: logsOf(GENESIS_PROGRAM, 87) })],
  ['an error with logs in its context', { context: { logs: logsOf(GENESIS_PROGRAM, 87) } }],
  ['a message of a node', new Error('Error processing Instruction 5: custom program error: 0x57')],
  [
    'a message of kit',
    new Error('Simulation failed', { cause: new Error('Custom program error: #87 (instruction #6)') }),
  ],
  ['JSON in a message', new Error('The transaction failed: {"InstructionError":[5,{"Custom":87}]}')],
])('%s is explained, inside a TransactionError too', (_, cause) => {
  const explained = { code: 'PRICE_MOVED', message: ERRORS.PRICE_MOVED.text }
  expect(explainFailure(cause)).toEqual(explained)
  expect(explainFailure(new TransactionError('failed', { cause }))).toEqual(explained)
})

test('numbers of programs that a wallet has added are not taken for those of a trade', () => {
  for (const number of [1, 87, 6_000, 6_005])
    expect(
      explainFailure({ logs: logsOf('GuardedSwap1111111111111111111111111111111', number) }),
    ).toBeUndefined()
})

test('a refusal by the service and an expired transaction are explained, and other errors are not', () => {
  const refused = new SlipwayError('Trading is paused', { status: 409, code: 'TRADING_PAUSED' })
  expect(explainFailure(refused)).toEqual({ code: 'TRADING_PAUSED', message: 'Trading is paused' })
  expect(explainFailure(new TransactionError('expired'))?.code).toBe('EXPIRED')
  expect(explainFailure(new TransactionError('rejected'))).toBeUndefined()
  expect(
    explainFailure(new SlipwayError('Launch not found', { status: 404, code: 'LAUNCH_NOT_FOUND' })),
  ).toBeUndefined()
  for (const other of [undefined, null, 'no', 5, new Error('the wallet is locked')])
    expect(explainFailure(other)).toBeUndefined()
})
