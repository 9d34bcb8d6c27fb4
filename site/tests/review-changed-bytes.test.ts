import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Intent,
  type Review,
  reviewTransactions,
  UnexpectedTransactionError,
} from '../src/transactions/review.ts'
import { effectOf, messageStart } from './test-rebuild.ts'
import { CURVE, claimCase, collectTransactions } from './test-transactions.ts'

/** All transactions of one response. */
interface Response {
  wires: Uint8Array[]
  intent: Intent
  wallet: string
}

const describe = (reviews: Review[]) =>
  JSON.stringify(reviews, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

/** The words of a review, or nothing if a transaction is refused. */
const wordsOf = async ({ wires, intent, wallet }: Response): Promise<string | undefined> =>
  reviewTransactions(wires, intent, wallet).then(describe, (error: unknown) => {
    if (error instanceof UnexpectedTransactionError) return undefined
    throw error
  })

test('a transaction with one changed byte is refused, has the same effect, or is described in other words', async () => {
  const { mint, fund, withdraw, launches } = await collectTransactions()
  const claims = [claimCase(), claimCase({ bucket: CURVE, createsTokenAccount: false })]
  const single = [mint, fund, withdraw, ...claims].map(({ wire, ...one }) => ({ ...one, wires: [wire] }))
  const responses: Response[] = [...single, ...Object.values(launches)]
  // Each transaction, and its place in its response.
  const cases = responses.flatMap(response =>
    response.wires.map((wire, place) => ({ response, wire, place })),
  )
  const wordsOfCases = await Promise.all(cases.map(({ response }) => wordsOf(response)))
  expect(wordsOfCases).not.toContain(undefined)
  const anyCase = fc.nat({ max: cases.length - 1 })
  await fc.assert(
    fc.asyncProperty(anyCase, fc.nat(), fc.integer({ min: 1, max: 255 }), async (number, at, mask) => {
      const { response, wire, place } = cases[number] as (typeof cases)[number]
      const start = messageStart(wire)
      const index = start + (at % (wire.length - start))
      const changed = wire.with(index, (wire[index] as number) ^ mask)
      const words = await wordsOf({ ...response, wires: response.wires.with(place, changed) })
      if (words === wordsOfCases[number]) expect(effectOf(changed)).toBe(effectOf(wire))
    }),
    { numRuns: 200 },
  )
})
