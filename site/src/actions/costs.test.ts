import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Income } from './action.ts'
import type { Row } from './action-state.ts'
import { Costs } from './costs.tsx'

const NO_CHANGES = { ownDeposits: 0n, otherDeposits: 0n, returnedDeposits: 0n, tokens: [] }
const CAT: Income = { units: 7_000_000n, decimals: 6, symbol: 'CAT', mint: 'cat' }

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
