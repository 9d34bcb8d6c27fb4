import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Review, reviewTransaction, UnexpectedTransactionError } from '../src/transactions/review.ts'
import { effectOf, messageStart, type ReviewCase } from './test-rebuild.ts'
import { CURVE, claimCase, collectTransactions } from './test-transactions.ts'

const describe = (review: Review) =>
  JSON.stringify(review, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

/** The words of a review, or nothing if the transaction is refused. */
const wordsOf = async ({ wire, intent, wallet }: ReviewCase): Promise<string | undefined> =>
  reviewTransaction(wire, intent, wallet).then(
    ({ review }) => describe(review),
    (error: unknown) => {
      if (error instanceof UnexpectedTransactionError) return undefined
      throw error
    },
  )

test('a transaction with one changed byte is refused, has the same effect, or is described in other words', async () => {
  const { mint, fund, withdraw, launches } = await collectTransactions()
  const cases: ReviewCase[] = [
    mint,
    fund,
    withdraw,
    claimCase(),
    claimCase({ bucket: CURVE, createsTokenAccount: false }),
    ...Object.values(launches).flatMap(({ wires, ...launch }) => wires.map(wire => ({ ...launch, wire }))),
  ]
  const wordsOfCases = await Promise.all(cases.map(wordsOf))
  expect(wordsOfCases).not.toContain(undefined)
  const anyCase = fc.nat({ max: cases.length - 1 })
  await fc.assert(
    fc.asyncProperty(anyCase, fc.nat(), fc.integer({ min: 1, max: 255 }), async (number, at, mask) => {
      const one = cases[number] as ReviewCase
      const start = messageStart(one.wire)
      const index = start + (at % (one.wire.length - start))
      const wire = one.wire.with(index, (one.wire[index] as number) ^ mask)
      const words = await wordsOf({ ...one, wire })
      if (words === wordsOfCases[number]) expect(effectOf(wire)).toBe(effectOf(one.wire))
    }),
    { numRuns: 200 },
  )
})
