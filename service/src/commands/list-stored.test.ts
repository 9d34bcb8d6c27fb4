import { expect, test } from 'vitest'
import { setAgentHidden } from '../store/curated-agents.ts'
import { insertLaunches, setHidden } from '../store/launches.ts'
import { agentRow, saveTestAgent } from '../testing/agent-rows.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { runCommand } from '../testing/run-command.ts'
import { createTestDatabase, runSql, toDatabaseUrl } from '../testing/test-database.ts'

async function start() {
  const { connection, database } = await createTestDatabase()
  const env = { DATABASE_URL: toDatabaseUrl(connection) }
  return {
    connection,
    database,
    run: (...args: string[]) => runCommand(args, env),
    json: async (...args: string[]) => JSON.parse((await runCommand([...args, '--json'], env)).stdout),
  }
}

test('launch list shows the newest launches, hidden ones included, with their status and marks', async () => {
  const { connection, database, run, json } = await start()
  expect((await run('launch', 'list')).stdout).toBe('There are none.\n')
  const rows = ['Oldest', 'Hidden', 'Newest'].map(name => launchRows(name))
  await insertLaunches(database, rows)
  const [oldest, hidden, newest] = rows.map(({ launch }) => launch.genesisAddress) as [never, never, never]
  await runSql(
    connection,
    `UPDATE launches SET registered_at = now();
     UPDATE launches SET registered_at = now() - interval '1 day' WHERE genesis_address = '${oldest}';
     UPDATE launches SET registered_at = now() - interval '1 hour', spotlight = true WHERE genesis_address = '${hidden}'`,
  )
  await setHidden(database, 'chain-mainnet', hidden, true)
  const { launches } = await json('launch', 'list')
  expect(launches.map((each: { genesisAddress: string }) => each.genesisAddress)).toEqual([
    newest,
    hidden,
    oldest,
  ])
  expect(launches[1]).toMatchObject({ hidden: true, spotlight: true, status: 'live', name: 'Hidden' })
  expect((await run('launch', 'list', '--hidden')).stdout).toMatch(
    new RegExp(
      `^chain-mainnet {2}${hidden} {2}\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d {2}\\w+ {2}live {2}spotlight,hidden {2}Hidden \\(.+\\)\\n$`,
    ),
  )
  expect((await json('launch', 'list', '--limit', '1')).launches).toHaveLength(1)
  expect((await json('launch', 'list', '--network', 'chain-devnet')).launches).toEqual([])
  for (const limit of ['0', 'x', '-1', '100001'])
    expect(await run('launch', 'list', '--limit', limit)).toMatchObject({ code: 2, stdout: '' })
})

test('agent list shows the newest agents, hidden ones included', async () => {
  const { connection, database, run, json } = await start()
  for (const name of ['first', 'second']) await saveTestAgent(database, name)
  await runSql(
    connection,
    `UPDATE agent_listing SET registered_at = now() - interval '1 day' WHERE address = '${agentRow('first').address}'`,
  )
  await setAgentHidden(database, 'chain-mainnet', agentRow('first').address, true)
  const { agents } = await json('agent', 'list')
  expect(agents.map(({ name }: { name: string }) => name)).toEqual(['second', 'first'])
  const { stdout } = await run('agent', 'list', '--hidden')
  expect(stdout).toMatch(
    new RegExp(`^chain-mainnet {2}${agentRow('first').address} {2}\\S+ \\S+ {2}hidden {2}first\\n$`),
  )
})
