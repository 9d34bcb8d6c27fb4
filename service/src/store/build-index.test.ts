import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createTestConnection } from '../testing/test-database.ts'
import { buildIndex, isIndexValid } from './build-index.ts'

async function connect() {
  const client = new pg.Client(await createTestConnection())
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const INDEX = 'CREATE INDEX "rows_owner" ON "rows" USING btree ("owner");'

test('an index on a partitioned table covers every partition, and an interrupted build is completed', async () => {
  const client = await connect()
  const partition = (number: number) =>
    `CREATE TABLE rows_${number} PARTITION OF rows FOR VALUES FROM (${number}) TO (${number + 1});`
  await client.query(`CREATE TABLE rows (owner text, at int) PARTITION BY RANGE (at); ${[1, 2, 3].map(partition).join('')}
    INSERT INTO rows SELECT 'someone', at FROM unnest(ARRAY[1, 2, 3]) AS at`)
  // As an interruption leaves it: one partition has its index, which is not attached.
  await client.query('CREATE INDEX "rows_owner" ON ONLY "rows" USING btree ("owner")')
  await client.query('CREATE INDEX "rows_1_rows_owner" ON "rows_1" USING btree ("owner")')
  expect(await isIndexValid(client, 'rows_owner')).toBe(false)
  await buildIndex(client, 'rows_owner', INDEX)
  expect(await isIndexValid(client, 'rows_owner')).toBe(true)

  await client.query('DROP INDEX rows_owner')
  await buildIndex(client, 'rows_owner', INDEX)
  expect(await isIndexValid(client, 'rows_owner')).toBe(true)
  // Building it again changes nothing, and a new partition has it.
  await buildIndex(client, 'rows_owner', INDEX)
  await client.query(partition(4))
  const { rows } = await client.query(
    `SELECT tablename FROM pg_indexes WHERE indexdef LIKE '%(owner)' ORDER BY tablename`,
  )
  expect(rows.map(({ tablename }) => tablename)).toEqual(['rows', 'rows_1', 'rows_2', 'rows_3', 'rows_4'])
})
