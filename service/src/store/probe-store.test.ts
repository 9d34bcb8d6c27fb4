import { expect, test } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { probeStore } from './probe-store.ts'

test.each([
  ['a node that is ahead', 120_000, 120_000],
  ['a node that is behind', -7_000, -7_000],
  ['a node that agrees', 0, 0],
])("the clock of %s is compared with the database's", async (_, offsetMs, expected) => {
  const { database } = await createTestDatabase()
  const readings: number[] = []
  const { clockAheadMs, refusal } = await probeStore(database, () => {
    readings.push(Date.now())
    return Date.now() + offsetMs
  })
  expect(refusal).toBeUndefined()
  // The time that the answer takes hides a part of the difference.
  const [sentMs = 0, receivedMs = 0] = readings
  expect(Math.abs(clockAheadMs)).toBeLessThanOrEqual(Math.abs(expected) + 10)
  expect(Math.abs(clockAheadMs - expected)).toBeLessThanOrEqual(receivedMs - sentMs + 10)
})

test('the time that an answer takes is not mistaken for a difference between the clocks', async () => {
  const { database } = await createTestDatabase()
  const readings = [Date.now() - 20_000, Date.now() + 20_000]
  expect((await probeStore(database, () => readings.shift() as number)).clockAheadMs).toBe(0)
})

test('a pool whose connections are all in use says nothing about writing', async () => {
  const { database } = await createTestDatabase()
  let isBusy = false
  const busy: typeof database = {
    ...database,
    transact: async (...parameters) => {
      if (isBusy) throw new Error('timeout exceeded when trying to connect')
      return database.transact(...parameters)
    },
  }
  expect((await probeStore(busy)).refusal).toBeUndefined()
  isBusy = true
  await expect(probeStore(busy)).rejects.toThrow('trying to connect')
})
