import { expect, test } from 'vitest'
import type { Database } from '../store/database.ts'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { type AgentListQuery, createAgentList } from './agent-list.ts'

const query: AgentListQuery = {
  network: 'chain-mainnet',
  page: 1,
  pageSize: 10,
  text: undefined,
  order: 'latest',
  filter: {},
}

/** A list, with the names of the queries that it makes. */
async function start({ isServed = true, hasExtension = true } = {}) {
  const { connection, database } = await createTestDatabase()
  if (!hasExtension) await runSql(connection, 'DROP EXTENSION pg_trgm CASCADE')
  const queries: string[] = []
  let warnings = 0
  const observed: Database = {
    ...database,
    run(name, work) {
      queries.push(name)
      return database.run(name, work)
    },
  }
  const list = createAgentList({
    database: observed,
    publicUrl: 'https://slipway.example',
    isServed: () => isServed,
    onPrefixOnly() {
      warnings += 1
    },
  })
  await list.start()
  return {
    list,
    database,
    warnings: () => warnings,
    count: (name: string) => queries.filter(each => each === name).length,
  }
}

test('a database without pg_trgm is reported once, at the start', async () => {
  const { list, database, warnings } = await start({ hasExtension: false })
  expect(warnings()).toBe(1)
  await saveTestAgent(database, 'Tidewatch')
  expect((await list.find({ ...query, text: 'tide' })).total).toBe(1)
  expect(warnings()).toBe(1)
  expect((await start()).warnings()).toBe(0)
})

test('the pages of a search, and equal searches at the same time, share one search', async () => {
  const { list, database, count } = await start()
  for (let at = 0; at < 5; at += 1) await saveTestAgent(database, `Tidewatch ${at}`)
  const search = { ...query, text: 'tidewatch', pageSize: 2 }
  const [first] = await Promise.all([list.find(search), list.find(search), list.find({ ...search, page: 2 })])
  const last = await list.find({ ...search, page: 3 })
  expect(first).toMatchObject({ total: 5, totalPages: 3 })
  expect(last.agents).toHaveLength(1)
  expect(count('agents.search-prefix')).toBe(1)
})

test('a flood of different searches is refused beyond a fixed number', async () => {
  const { list } = await start()
  const searches = Array.from({ length: 60 }, (_, at) => list.find({ ...query, text: `search ${at}` }))
  const outcomes = await Promise.allSettled(searches)
  const refused = outcomes.filter(outcome => outcome.status === 'rejected')
  // On a busy machine, others have waited too long.
  expect(refused.length).toBeGreaterThanOrEqual(60 - 3 - 32)
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})

test('searches for the same words share one search', async () => {
  const { list, database, count } = await start()
  await saveTestAgent(database, 'Tidewatch')
  for (const text of ['tidewatch', 'TIDEWATCH', ' tidewatch!', `tidewatch${'?'.repeat(150)}`])
    expect(await list.find({ ...query, text })).toMatchObject({ total: 1 })
  expect(count('agents.search-prefix')).toBe(1)
})

test('a search without words finds nothing and takes no turn from other searches', async () => {
  const { list } = await start()
  const searches = Array.from({ length: 60 }, (_, at) => list.find({ ...query, text: '%'.repeat(at + 1) }))
  for (const { total } of await Promise.all(searches)) expect(total).toBe(0)
})

test('the list of a network that is not served is empty', async () => {
  const { list, database } = await start({ isServed: false })
  await saveTestAgent(database, 'Tidewatch')
  expect(await list.find(query)).toMatchObject({ agents: [], total: 0, totalPages: 0 })
  expect(await list.find({ ...query, text: 'tidewatch' })).toMatchObject({ agents: [], total: 0 })
})
