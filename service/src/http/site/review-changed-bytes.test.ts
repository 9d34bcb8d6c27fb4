import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Review,
  reviewTransaction,
  UnexpectedTransactionError,
} from '../../../../site/src/transactions/review.ts'
import { effectOf, messageStart, type ReviewCase } from './test-rebuild.ts'
import { collectTransactions } from './test-transactions.ts'

const describe = ({ steps, feeLamports, signers }: Review) =>
  JSON.stringify([steps, `${feeLamports}`, signers])

/** The words of a review, or nothing if the transaction is refused. */
const wordsOf = async ({ wire, intent, wallet }: ReviewCase): Promise<string | undefined> =>
  reviewTransaction(wire, intent, wallet).then(describe, (error: unknown) => {
    if (error instanceof UnexpectedTransactionError) return undefined
    throw error
  })

test('a transaction with one changed byte is refused, has the same effect, or is described in other words', async () => {
  const { mint, fund, withdraw, launches } = await collectTransactions()
  const cases: ReviewCase[] = [
    mint,
    fund,
    withdraw,
    ...Object.values(launches).flatMap(({ wires, ...launch }) => wires.map(wire => ({ ...launch, wire }))),
  ]
  const known = await Promise.all(
    cases.map(async one => ({ ...one, words: await wordsOf(one), effect: effectOf(one.wire) })),
  )
  for (const one of known) expect(one.words).toBeDefined()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...known),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      async (one, at, mask) => {
        const start = messageStart(one.wire)
        const index = start + (at % (one.wire.length - start))
        const wire = one.wire.with(index, (one.wire[index] as number) ^ mask)
        const words = await wordsOf({ ...one, wire })
        if (words === one.words) expect(effectOf(wire)).toBe(one.effect)
      },
    ),
    { numRuns: 200 },
  )
})
