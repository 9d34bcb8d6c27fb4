import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createOldDatabase, migrateObserved, openSession } from '../testing/old-database.ts'
import { runSql } from '../testing/test-database.ts'
import type { ConnectionOptions } from './database.ts'
import { migrate } from './migrate.ts'

test('agents that were stored before there was a list are listed, counted, searchable and due', async () => {
  const connection = await createOldDatabase('find-agents')
  const address = addressOf('agent')
  await runSql(
    connection,
    `INSERT INTO agents (network, address, owner, name, uri, identity_version, agent_token, slot)
       VALUES ('chain-mainnet', '${address}', 'x', 'Night  Héron!', '', 2, 'x', 1);
     INSERT INTO verified_agents (network, address) VALUES ('chain-mainnet', '${address}')`,
  )
  await migrate(connection)
  const { rows } = await runSql(
    connection,
    `SELECT search_name, agent_listing.flags, agents, due_at <= now() AS is_due,
       (SELECT array_agg(word ORDER BY word) FROM agent_words) AS words
     FROM agent_listing JOIN agent_counts USING (network) JOIN agent_refreshes USING (network, address)`,
  )
  expect(rows).toEqual([
    { search_name: 'night h ron', flags: 1 + 2 + 16, agents: 1, is_due: true, words: ['night', 'ron'] },
  ])
})

test('more agents than one batch holds are listed and counted once each, however often a batch is repeated', async () => {
  const connection = await createOldDatabase('find-agents')
  await runSql(
    connection,
    `INSERT INTO agents (network, address, owner, name, uri, identity_version, slot)
     SELECT network, 'agent ' || n, 'x', 'Heron ' || n, '', 2, 1
     FROM generate_series(1, 1250) AS n, unnest(ARRAY['chain-devnet', 'chain-mainnet']) AS network`,
  )
  // The last agent can't be copied yet, so the first batches are committed and then repeated.
  const blocker = await openSession(connection)
  await blocker.query(
    `BEGIN; SELECT FROM agents WHERE network = 'chain-mainnet' AND address = 'agent 999' FOR UPDATE`,
  )
  const migrating = migrateObserved(connection)
  await migrating.waits()
  expect(await countRows(connection, 'agent_listing')).toBe(2_000)
  await blocker.query('ROLLBACK')
  expect(await migrating.done).toBeGreaterThan(0)
  const { rows } = await runSql(
    connection,
    'SELECT network, flags, agents FROM agent_counts ORDER BY network',
  )
  expect(rows).toEqual([
    { network: 'chain-devnet', flags: 1, agents: 1_250 },
    { network: 'chain-mainnet', flags: 1, agents: 1_250 },
  ])
  expect(await countRows(connection, 'agent_refreshes')).toBe(2_500)
})

async function countRows(connection: ConnectionOptions, table: string): Promise<number> {
  const { rows } = await runSql(connection, `SELECT count(*)::int AS count FROM ${table}`)
  return rows[0].count
}
