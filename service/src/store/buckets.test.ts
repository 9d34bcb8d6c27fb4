import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { findWalletBuckets, type NewBucket, saveBuckets, saveFoundBuckets } from './buckets.ts'

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

const wallet = addressOf('creator')
const bucket = (name: string, fields: Partial<NewBucket> = {}): NewBucket => ({
  network: 'chain-mainnet',
  address: addressOf(name),
  genesisAddress: addressOf(`launch of ${name}`),
  kind: 'bondingCurveV2',
  creatorFeeWallet: wallet,
  slot: 10,
  ...fields,
})

test("finds a wallet's paying buckets on its network, last changed first", async () => {
  const { database } = await createTestDatabase()
  // Buckets are saved in the order of their addresses.
  const [low, high] = [addressOf('one'), addressOf('two')].sort() as [Address, Address]
  await saveFoundBuckets(database, [
    bucket('curve'),
    bucket('pool', { kind: 'raydiumCpmmV2', slot: 12 }),
    bucket('low', { address: low, slot: 9 }),
    bucket('high', { address: high, slot: 13 }),
    bucket('presale', { kind: 'presaleV2' }),
    bucket('of another', { creatorFeeWallet: addressOf('another') }),
    bucket('of no one', { creatorFeeWallet: null }),
    bucket('elsewhere', { network: 'chain-devnet' }),
  ])
  expect((await findWalletBuckets(database, 'chain-mainnet', wallet)).buckets).toEqual([
    { address: high, kind: 'bondingCurveV2' },
    { address: addressOf('pool'), kind: 'raydiumCpmmV2' },
    { address: addressOf('curve'), kind: 'bondingCurveV2' },
    { address: low, kind: 'bondingCurveV2' },
  ])
})

test('the index is complete if its network was read completely and is still followed', async () => {
  const { database, connection } = await createTestDatabase()
  const isComplete = async () => (await findWalletBuckets(database, 'chain-mainnet', wallet)).isIndexComplete
  const set = (network: string, complete: boolean, age: string) =>
    runSql(
      connection,
      `INSERT INTO chain_progress (network, slot, is_complete, updated_at)
       VALUES ('${network}', 5, ${complete}, now() - interval '${age}')
       ON CONFLICT (network) DO UPDATE SET is_complete = excluded.is_complete, updated_at = excluded.updated_at`,
    )
  expect(await isComplete()).toBe(false)
  await set('chain-devnet', true, '0 s')
  expect(await isComplete()).toBe(false)
  await set('chain-mainnet', false, '0 s')
  expect(await isComplete()).toBe(false)
  await set('chain-mainnet', true, '1 min')
  expect(await isComplete()).toBe(true)
  await saveFoundBuckets(database, [bucket('curve')])
  expect(await isComplete()).toBe(true)
  await set('chain-mainnet', true, '3 min')
  expect(await isComplete()).toBe(false)
})

test('an older state never overwrites a newer one, and thousands of buckets can be saved at once', async () => {
  const { database } = await createTestDatabase()
  const addresses = async () => (await findWalletBuckets(database, 'chain-mainnet', wallet)).buckets.length
  const other = addressOf('another')
  await saveFoundBuckets(
    database,
    Array.from({ length: 2_500 }, (_, at) => bucket(`${at}`)),
  )
  expect(await addresses()).toBe(2_500)
  await saveFoundBuckets(database, [bucket('7', { creatorFeeWallet: other, slot: 9 })])
  expect(await addresses()).toBe(2_500)
  await saveFoundBuckets(database, [bucket('7', { creatorFeeWallet: other, slot: 11 })])
  expect(await addresses()).toBe(2_499)
})
