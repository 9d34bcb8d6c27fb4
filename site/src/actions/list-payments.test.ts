import { expect, test } from 'vitest'
import type { Step } from '../transactions/intent.ts'
import type { Row } from './action-state.ts'
import { listPayments } from './list-payments.ts'

const rowOf = (step: Partial<Step>, walletChangeLamports?: bigint): Row => ({
  review: { steps: [{ text: '', ...step }], feeLamports: 5_000n, signers: [] },
  ...(walletChangeLamports !== undefined && { simulation: { outcome: 'ok', walletChangeLamports } }),
  state: 'ready',
})

test('a trade shows what is expected, and what the transaction promises below it', () => {
  const payment = [
    { label: 'You pay', amount: '0.5 SOL' },
    { label: 'You get at least', amount: '9 CAT', isLeast: true },
  ]
  const rows = [rowOf({ payment, movedLamports: 500_000_000n })]
  expect(listPayments({ rows })).toEqual([
    { label: 'You pay', amount: '0.5 SOL' },
    { label: 'You get at least', amount: '9 CAT' },
  ])
  const warning = 'You pay twice the present price.'
  expect(listPayments({ rows }, { label: 'You get about', amount: '10 CAT', warning })).toEqual([
    { label: 'You pay', amount: '0.5 SOL' },
    { label: 'You get about', amount: '10 CAT', note: 'At least 9 CAT, or nothing is traded', warning },
  ])
})

test('what is moved or paid out comes first, and without either, what it costs', () => {
  const labels = (row: Row, income?: string) => listPayments({ rows: [row], income })
  expect(labels(rowOf({ movedLamports: 2_000_000_000n }))).toEqual([{ label: 'You send', amount: '2 SOL' }])
  expect(labels(rowOf({ movedLamports: -1n }))[0]?.label).toBe('You get')
  expect(labels(rowOf({}, -5_000n), '3 CAT')).toEqual([
    { label: 'You get', amount: '3 CAT', note: 'As the service reports it' },
  ])
  expect(labels(rowOf({}, -1_005_000n))).toEqual([{ label: 'Total cost', amount: '0.001005 SOL' }])
  expect(labels(rowOf({}))).toEqual([])
})
