import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { type NewBucket, saveBuckets } from './buckets.ts'

test('a bucket keeps its newest state, in whatever order states arrive', async () => {
  const { database, connection } = await createTestDatabase()
  const bucket = (at: number, slot: number, wallet: string | null): NewBucket => ({
    network: 'chain-mainnet',
    address: addressOf(`bucket ${at}`),
    genesisAddress: addressOf('genesis'),
    kind: 'bondingCurveV2',
    creatorFeeWallet: wallet === null ? null : addressOf(wallet),
    slot,
  })
  const save = (...rows: NewBucket[]) => database.run('test', db => saveBuckets(db, rows))
  await save()
  await save(bucket(1, 10, 'a'), bucket(2, 10, null))
  await save(bucket(2, 11, 'b'), bucket(1, 9, 'older'), bucket(3, 1, 'c'))
  const { rows } = await runSql(connection, 'SELECT address, creator_fee_wallet, slot FROM buckets')
  expect(rows).toHaveLength(3)
  for (const [at, wallet, slot] of [
    [1, 'a', '10'],
    [2, 'b', '11'],
    [3, 'c', '1'],
  ] as const)
    expect(rows).toContainEqual({
      address: addressOf(`bucket ${at}`),
      creator_fee_wallet: addressOf(wallet),
      slot,
    })
})
