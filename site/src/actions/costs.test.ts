import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Step } from '../transactions/intent.ts'
import type { Income } from './action.ts'
import type { Row } from './action-state.ts'
import { findContradiction, listPayments } from './costs.ts'
import { Costs } from './transaction-rows.tsx'

const NO_CHANGES = { ownDeposits: 0n, otherDeposits: 0n, returnedDeposits: 0n, tokens: [] }
const CAT: Income = { units: 3_000_000n, decimals: 6, symbol: 'CAT', mint: 'cat' }

/** What is said about a claim that changes the wallet's balance by this much. */
function costsOf(
  walletChangeLamports: bigint,
  ownDeposits: bigint,
  income?: Income[],
  isSent = false,
): string {
  const row: Row = {
    review: { steps: [{ text: '' }], feeLamports: 5_000n, signers: [] },
    simulation: { outcome: 'ok', walletChangeLamports, accounts: { ...NO_CHANGES, ownDeposits } },
    state: 'ready',
  }
  return renderToStaticMarkup(createElement(Costs, { rows: [row], income, estimate: undefined, isSent }))
}

test('beside tokens that arrive, the costs are listed without a loss in total', () => {
  expect(costsOf(-2_044_280n, 2_039_280n, [CAT])).not.toContain('Change in your balance')
  expect(costsOf(-2_044_280n, 2_039_280n, [CAT])).toContain('0.00203928 SOL')
  expect(costsOf(-2_044_280n, 2_039_280n)).toContain('−0.00204428 SOL')
})

test('what a program takes beside tokens that arrive is still shown', () => {
  expect(costsOf(-1_000_005_000n, 0n, [CAT])).toContain('>1 SOL<')
})

test('once a transaction is sent, its costs stay and its simulation is no longer mentioned', () => {
  expect(costsOf(-5_000n, 0n)).toContain('Passed a simulation')
  const sent = costsOf(-5_000n, 0n, undefined, true)
  expect(sent).not.toContain('simulation')
  expect(sent).toContain('Network fee')
})

test('money that arrives is shown as a change of the balance', () => {
  expect(costsOf(3_000_000_000n, 0n, [CAT])).toContain('+3 SOL')
})

const WALLET = 'wallet'
const OTHER = 'other-wallet'

const rowOf = (step: Partial<Step>, walletChangeLamports?: bigint, accounts = {}): Row => ({
  review: { steps: [{ text: '', ...step }], feeLamports: 5_000n, signers: [] },
  ...(walletChangeLamports !== undefined && {
    simulation: { outcome: 'ok', walletChangeLamports, accounts: { ...NO_CHANGES, ...accounts } },
  }),
  state: 'ready',
})

test('a trade shows what is expected, and what the transaction promises below it', () => {
  const payment = [
    { label: 'You pay', amount: '0.5 SOL' },
    { label: 'You get at least', amount: '9 CAT', isLeast: true },
  ]
  const rows = [rowOf({ payment, movedLamports: 500_000_000n })]
  expect(listPayments({ rows }, {}, WALLET)).toEqual([
    { label: 'You pay', amount: '0.5 SOL' },
    { label: 'You get at least', amount: '9 CAT' },
  ])
  const expects = { label: 'You get about', amount: '10 CAT' }
  expect(listPayments({ rows }, { expects }, WALLET)).toEqual([
    { label: 'You pay', amount: '0.5 SOL' },
    { label: 'You get about', amount: '10 CAT', note: 'At least 9 CAT, or nothing is traded' },
  ])
})

test('what is moved or paid out comes first, and without either, what it costs', () => {
  const list = (row: Row) => listPayments({ rows: [row] }, {}, WALLET)
  expect(list(rowOf({ movedLamports: 2_000_000_000n }))).toEqual([{ label: 'You send', amount: '2 SOL' }])
  expect(list(rowOf({ movedLamports: -1n }))[0]?.label).toBe('You get')
  expect(list(rowOf({}, -1_005_000n))).toEqual([{ label: 'You pay in total', amount: '0.001005 SOL' }])
  expect(list(rowOf({}))).toEqual([])
  const share = {
    label: 'Your share, if it ended now',
    amount: '4 CAT',
    note: 'Later deposits make it smaller.',
  }
  const deposit = rowOf({ payment: [{ label: 'You deposit', amount: '1 SOL' }] })
  const paymentNote = '2 SOL stay'
  const fee = { label: 'Fee 2%', amount: '0.02 SOL' }
  const outlook = { expects: share }
  expect(listPayments({ rows: [deposit], outlook, fee }, { paymentNote }, WALLET)).toEqual([
    { label: 'You deposit', amount: '1 SOL', note: paymentNote },
    { ...fee, isFee: true },
    share,
  ])
})

const SOL: Income = { units: 3_000_000_000n, decimals: 9, symbol: 'SOL' }
const FROM_AGENT: Income = { ...SOL, isFromAgent: true }

test.each([
  ['the same amount', SOL, 2_999_995_000n, {}, 'The simulation shows the same amount.', false],
  // What an account gives back is not a part of the payout.
  [
    'the same amount and a returned deposit',
    SOL,
    3_002_034_280n,
    { returnedDeposits: 2_039_280n },
    'The simulation shows the same amount.',
    false,
  ],
  ['slightly more', SOL, 3_009_995_000n, {}, 'The simulation shows slightly more.', false],
  [
    'a program’s fee',
    FROM_AGENT,
    2_999_946_280n,
    {},
    'The simulation shows the same amount, less a program’s fee.',
    false,
  ],
  ['less', SOL, 2_499_995_000n, {}, 'The service reports 3 SOL.', '2.5'],
  [
    'slightly less, but not from an agent',
    SOL,
    2_999_946_280n,
    {},
    'The service reports 3 SOL.',
    '2.99995128',
  ],
  [
    'nothing from an agent',
    { ...FROM_AGENT, units: 50_000n },
    -5_000n,
    {},
    'The service reports 0.00005 SOL.',
    '0',
  ],
  [
    'the same tokens',
    CAT,
    -2_044_280n,
    { ownDeposits: 2_039_280n, tokens: [{ owner: WALLET, mint: 'cat', change: 3_000_000n }] },
    'The simulation shows the same amount.',
    false,
  ],
  [
    'tokens for someone else',
    CAT,
    -5_000n,
    { tokens: [{ owner: OTHER, mint: 'cat', change: 3_000_000n }] },
    'The service reports 3 CAT.',
    '0',
  ],
] as const)('a payout is compared with its simulation: %s', (_, part, change, accounts, note, simulated) => {
  const rows = [rowOf({}, change, accounts)]
  expect(listPayments({ rows, income: [part] }, {}, WALLET)).toEqual([
    {
      label: 'You get',
      amount: `${simulated || 3} ${part.symbol}`,
      exact: `${simulated || 3} ${part.symbol}`,
      note,
      ...(simulated && { isDoubtful: true }),
    },
  ])
})

test('SOL and wrapped SOL of one payout are counted once each, and less than reported is a warning', () => {
  const wrapped: Income = { ...SOL, symbol: 'wrapped SOL', mint: WRAPPED_NATIVE_MINT }
  const accounts = { tokens: [{ owner: WALLET, mint: WRAPPED_NATIVE_MINT, change: 3_000_000_000n }] }
  const rows = [rowOf({}, 2_999_995_000n), rowOf({}, -5_000n, accounts)]
  const [line] = listPayments({ rows, income: [SOL, wrapped] }, {}, WALLET)
  expect(line?.note).toBe('The simulation shows the same amount.')
  expect(findContradiction({ rows, income: [SOL, wrapped] }, WALLET)).toBeUndefined()
  expect(findContradiction({ rows: rows.slice(0, 1), income: [SOL, wrapped] }, WALLET)).toEqual({
    text: 'The simulation shows that 3 SOL and 0 wrapped SOL would arrive. The service reports 3 SOL and 3 wrapped SOL.',
    isLess: true,
  })
})

test('a payout to another wallet says who gets it', () => {
  const units = 3_000_000_001n
  const rows = [rowOf({}, -5_000n, { tokens: [{ owner: OTHER, mint: 'cat', change: units }] })]
  expect(listPayments({ rows, income: [{ ...CAT, units, to: OTHER }] }, {}, WALLET)).toEqual([
    {
      label: 'othe…llet gets',
      amount: '3,000 CAT',
      exact: '3,000.000001 CAT',
      note: 'The simulation shows the same amount.',
    },
  ])
})

test('a payout that was not simulated says so', () => {
  const noteOf = (row: Row) => listPayments({ rows: [row], income: [SOL] }, {}, WALLET)[0]?.note
  expect(noteOf(rowOf({}))).toBe('As the service reports it. It can’t be simulated yet.')
  const unknown: Row = { ...rowOf({}), simulation: { outcome: 'unknown', reason: '' } }
  expect(noteOf(unknown)).toBe('As the service reports it. It could not be simulated.')
})
