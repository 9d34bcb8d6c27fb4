import type pg from 'pg'

/** While a migration waits for a lock on a table, requests for the table wait too. After this time, it lets them go first. */
const LOCK_WAIT_MS = 200

/** Throws if a lock is not free in time. */
export async function transact<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`)
  try {
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}
