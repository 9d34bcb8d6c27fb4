import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { openDatabase } from './database.ts'

test('a transaction is all or nothing', async () => {
  const { connection, database } = await createTestDatabase()
  const insert = (symbol: string) =>
    sql`INSERT INTO tokens (network, mint, name, symbol) VALUES ('chain-mainnet', ${symbol}, 'a', ${symbol})`
  await expect(
    database.transact('test', async db => {
      await db.execute(insert('A'))
      throw new Error('changed my mind')
    }),
  ).rejects.toThrow('changed my mind')
  await database.transact('test', db => db.execute(insert('B')))
  expect((await runSql(connection, 'SELECT mint FROM tokens')).rows).toEqual([{ mint: 'B' }])
})

test('connections cut in the middle of a transaction do not exhaust the pool', async () => {
  const { connection, database } = await createTestDatabase()
  for (let times = 0; times < 25; times += 1) {
    const cut = database.transact('test', async db => {
      const { rows } = await db.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`)
      await runSql(connection, `SELECT pg_terminate_backend(${rows[0]?.pid})`)
      await db.execute(sql`SELECT 1`)
    })
    await expect(cut).rejects.toThrow()
  }
  expect((await database.run('test', db => db.execute(sql`SELECT 1 AS one`))).rows).toEqual([{ one: 1 }])
})

test('after it reconnects, what has begun goes on, and the connections from before are closed', async () => {
  const { connection } = await createTestDatabase()
  const database = openDatabase(connection, { onQuery: () => {}, onConnectionLost: () => {} })
  onTestFinished(database.close)
  let goOn = () => {}
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  const begun = database.run('test', async db => {
    await db.execute(sql`SELECT 1`)
    await held
    return (await db.execute(sql`SELECT 1 AS one`)).rows
  })
  for (let times = 0; times < 5; times += 1) {
    await database.run('test', db => db.execute(sql`SELECT 1`))
    database.reconnect()
  }
  goOn()
  expect(await begun).toEqual([{ one: 1 }])
  const open = async () =>
    (
      await runSql(
        connection,
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'slipway'`,
      )
    ).rowCount
  // Idle connections close by themselves after ten seconds.
  await expect.poll(open, { timeout: 5_000 }).toBe(0)
})
