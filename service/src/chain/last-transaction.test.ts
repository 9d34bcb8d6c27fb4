import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { fetchLastTransactionAt, type HistoryReader } from './last-transaction.ts'

type Signatures = Awaited<ReturnType<HistoryReader['fetchSignatures']>>

const ADDRESS = '11111111111111111111111111111112' as Address
const ago = (signatures: Partial<Signatures[number]>[], blockTime?: number) =>
  fetchLastTransactionAt(
    {
      fetchSignatures: async () => signatures as Signatures,
      fetchBlockTime: async () => blockTime,
    },
    ADDRESS,
  )

test('the newest transaction that succeeded tells the time, by its block where it does not say it itself', async () => {
  const failed = { failed: true, slot: 3, blockTime: 300 }
  expect(await ago([failed, { failed: false, slot: 2, blockTime: 200 }])).toEqual(new Date(200_000))
  expect(await ago([failed, { failed: false, slot: 2 }], 150)).toEqual(new Date(150_000))
  expect(await ago([{ failed: false, slot: 2 }])).toBeUndefined()
  expect(await ago([failed])).toBeUndefined()
  expect(await ago([])).toBeUndefined()
})
