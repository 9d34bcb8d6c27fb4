import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { recordGenesisHash, replaceCluster } from './clusters.ts'
import { findDelegations, saveDelegations } from './delegations.ts'

const NETWORK = 'chain-mainnet'
const agent = addressOf('agent')
const seen = (name: string) => ({
  record: addressOf(name),
  agent,
  executive: addressOf(`${name} profile`),
  wallet: addressOf(`${name} wallet`),
  firstOwner: null,
})

test('switching to another cluster removes the delegations of the previous one', async () => {
  const { database } = await createTestDatabase()
  await recordGenesisHash(database, NETWORK, 'one')
  await saveDelegations(database, NETWORK, [seen('record')], 1)
  expect(await replaceCluster(database, NETWORK, { from: 'one', to: 'two', keepsData: false })).toMatchObject(
    {
      delegations: 1,
    },
  )
  expect(await findDelegations(database, NETWORK, agent)).toEqual([])
})
