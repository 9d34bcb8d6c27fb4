import { ComputeBudgetProgram, MessageV0, VersionedTransaction } from '@solana/web3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Facts } from '../src/transactions/facts.ts'
import {
  type Intent,
  type Review,
  reviewTransactions,
  UnexpectedTransactionError,
} from '../src/transactions/review.ts'
import { effectOf, MALLORY, mallory, messageStart, NO_FACTS, rebuild, refusalOf } from './test-rebuild.ts'
import { CURVE, claimCase, collectTransactions } from './test-transactions.ts'

/** All transactions of one response. */
interface Response {
  wires: Uint8Array[]
  intent: Intent
  wallet: string
  facts?: Facts
}

const describe = (reviews: Review[]) =>
  JSON.stringify(reviews, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

/** The words of a review, or nothing if a transaction is refused. */
const wordsOf = async ({ wires, intent, wallet, facts = NO_FACTS }: Response): Promise<string | undefined> =>
  reviewTransactions(wires, intent, wallet, facts).then(describe, (error: unknown) => {
    if (error instanceof UnexpectedTransactionError) return undefined
    throw error
  })

test('a transaction with one changed byte is refused, has the same effect, or names another document', async () => {
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

test('an account that no instruction uses is refused, and so is a compute limit that this page didn’t plan', async () => {
  const { fund, withdraw, launches } = await collectTransactions()
  const whole = Object.values(launches).map(({ wires, ...one }) => ({
    ...one,
    wire: wires.at(-1) as Uint8Array,
  }))
  for (const one of [fund, withdraw, claimCase(), ...whole]) {
    const { message } = VersionedTransaction.deserialize(one.wire)
    const { header } = message
    for (const isWritable of [false, true]) {
      const keys = message.staticAccountKeys.length
      const at = isWritable ? keys - header.numReadonlyUnsignedAccounts : keys
      const shifted = new MessageV0({
        header: {
          ...header,
          numReadonlyUnsignedAccounts: header.numReadonlyUnsignedAccounts + (isWritable ? 0 : 1),
        },
        staticAccountKeys: message.staticAccountKeys.toSpliced(at, 0, mallory),
        recentBlockhash: message.recentBlockhash,
        compiledInstructions: message.compiledInstructions.map(
          ({ programIdIndex, accountKeyIndexes, data }) => ({
            programIdIndex: programIdIndex < at ? programIdIndex : programIdIndex + 1,
            accountKeyIndexes: [...accountKeyIndexes].map(index => (index < at ? index : index + 1)),
            data,
          }),
        ),
        addressTableLookups: [],
      })
      const { signatures } = VersionedTransaction.deserialize(one.wire)
      const wire = new VersionedTransaction(shifted, signatures).serialize()
      expect.soft(await refusalOf({ ...one, wire })).toMatch(`${MALLORY}, which it doesn’t use`)
    }
    const limited = rebuild(one.wire, ({ instructions }) =>
      instructions.unshift(ComputeBudgetProgram.setComputeUnitLimit({ units: 1 })),
    )
    expect
      .soft(await refusalOf({ ...one, wire: limited }))
      .toMatch(/does more than this page said|doesn’t need/)
  }
})
