import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { findIndexed, listRemoved, removeIndexed } from './removed-accounts.ts'

const network = 'chain-mainnet'

test('more accounts than a statement takes parameters can be looked up and removed at once', async () => {
  const { database } = await createTestDatabase()
  const addresses = Array.from({ length: 70_000 }, (_, number) => `missing ${number}` as Address)
  expect(await findIndexed(database, network, 'buckets', addresses)).toEqual([])
  expect(await removeIndexed(database, network, 'buckets', { addresses, slot: 1 })).toEqual([])
  expect(await listRemoved(database, network)).toEqual({ agents: [], buckets: [] })
})
