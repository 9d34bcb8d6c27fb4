import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestConnection, runSql } from '../testing/test-database.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const { entries } = JSON.parse(readFileSync(new URL('meta/_journal.json', MIGRATIONS), 'utf8')) as {
  entries: { tag: string }[]
}
const tags = entries.map(({ tag }) => tag)
const at = tags.findIndex(tag => tag.endsWith('_find-agents'))

test('agents that were stored before there was a list are listed, counted, searchable and due', async () => {
  const connection = await createTestConnection()
  const apply = async (tag: string) => {
    await runSql(connection, readFileSync(new URL(`${tag}.sql`, MIGRATIONS), 'utf8'))
  }
  for (const tag of tags.slice(0, at)) await apply(tag)
  const address = addressOf('agent')
  await runSql(
    connection,
    `INSERT INTO agents (network, address, owner, name, uri, identity_version, agent_token, slot)
       VALUES ('chain-mainnet', '${address}', 'x', 'Night  Héron!', '', 2, 'x', 1);
     INSERT INTO verified_agents (network, address) VALUES ('chain-mainnet', '${address}')`,
  )
  await apply(tags[at] as string)
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
