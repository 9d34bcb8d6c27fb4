import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { listDueRefreshes, recordRefresh, scheduleRefreshes } from './agent-refreshes.ts'
import { removeAgent } from './agents.ts'

const network = 'chain-mainnet'

test('a failed refresh is repeated at growing intervals, and stops after seven failures until the agent changes', async () => {
  const { database } = await createTestDatabase()
  const { address } = await saveTestAgent(database, 'agent')
  const due = () => listDueRefreshes(database, network, 10)
  const waitSeconds = async () => {
    const { rows } = await database.run('test', db =>
      db.execute<{ seconds: number | null }>(
        sql`SELECT extract(epoch FROM due_at - now())::int AS seconds FROM agent_refreshes`,
      ),
    )
    return rows[0]?.seconds
  }
  expect(await due()).toEqual([address])
  const waits: unknown[] = []
  for (let failure = 1; failure <= 7; failure += 1) {
    await recordRefresh(database, network, address, false)
    expect(await due()).toEqual([])
    waits.push(await waitSeconds())
  }
  expect(waits.slice(0, 6).map(seconds => Math.round((seconds as number) / 60))).toEqual([
    1, 4, 16, 64, 256, 1_024,
  ])
  expect(waits[6]).toBeNull()

  await database.run('test', db => scheduleRefreshes(db, network, [address]))
  expect(await due()).toEqual([address])
  await recordRefresh(database, network, address, true)
  expect(await due()).toEqual([])
  const hours = ((await waitSeconds()) as number) / 3_600
  expect(hours).toBeGreaterThan(21)
  expect(hours).toBeLessThan(27)
})

test('an agent that is removed is no longer due', async () => {
  const { database } = await createTestDatabase()
  const { address } = await saveTestAgent(database, 'agent')
  await removeAgent(database, network, address, 10)
  expect(await listDueRefreshes(database, network, 10)).toEqual([])
})
