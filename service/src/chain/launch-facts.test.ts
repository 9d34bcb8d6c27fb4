import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { fetchLastTransactionAt, type HistoryReader } from './launch-facts.ts'

type Signatures = Awaited<ReturnType<HistoryReader['fetchSignatures']>>

const ADDRESS = '11111111111111111111111111111112' as Address
const lastTransactionAt = (signatures: Partial<Signatures[number]>[], blockTime?: number) =>
  fetchLastTransactionAt(
    {
      fetchSignatures: async () => signatures as Signatures,
      fetchBlockTime: async () => blockTime,
    },
    ADDRESS,
  )

test('the time is that of the newest successful transaction, or of its block', async () => {
  const failed = { failed: true, slot: 3, blockTime: 300 }
  expect(await lastTransactionAt([failed, { failed: false, slot: 2, blockTime: 200 }])).toEqual(
    new Date(200_000),
  )
  expect(await lastTransactionAt([failed, { failed: false, slot: 2 }], 150)).toEqual(new Date(150_000))
  expect(await lastTransactionAt([{ failed: false, slot: 2 }])).toBeUndefined()
  expect(await lastTransactionAt([failed])).toBeUndefined()
  expect(await lastTransactionAt([])).toBeUndefined()
})
