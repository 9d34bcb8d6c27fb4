import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { EXAMPLE_CARD } from '../agents/examples.ts'
import { setAgentHidden } from '../store/curated-agents.ts'
import { insertLaunches, setHidden } from '../store/launches.ts'
import { agentRow, saveTestAgent } from '../testing/agent-rows.ts'
import { useDemo } from '../testing/demo.ts'
import { registrationOf } from '../testing/demo-launches.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { registeringOn, UNUSED_ADDRESS } from '../testing/registering.ts'
import { runCommand } from '../testing/run-command.ts'
import { createTestDatabase, runSql, toDatabaseUrl } from '../testing/test-database.ts'
import { useTestService } from '../testing/test-service.ts'
import { COMMANDS } from './definitions.ts'

const world = useDemo()

const node = useTestService(() => ({ config: world.config(), social: { apiUrl: world.demo.socialUrl } }))

/** The running node, and the command line on the same store and chain. */
function start() {
  const service = registeringOn(node())
  const settings = {
    DATABASE_URL: toDatabaseUrl(service.connection as never),
    RPC_URL_MAINNET: world.chainOf().local.rpcUrl,
  }
  return { ...service, run: (...args: string[]) => runCommand(args, settings) }
}

test('agent hide, unhide and spotlight change the responses of a running node', async () => {
  const { run, getJson, url } = start()
  const { address } = world.agent('tidewatch')
  const path = `/v1/agents/${address}`
  const status = async () => (await fetch(url + path)).status
  expect(await status()).toBe(200)

  expect(await run('agent', 'hide', address, UNUSED_ADDRESS)).toEqual({
    code: 1,
    stdout: `${address} on chain-mainnet is hidden\n`,
    stderr: expect.stringMatching(
      /^store {5}postgres:\/\/\/test_\w+ \(.*\) \(DATABASE_URL\)\nnetwork {3}chain-mainnet\nslipway: No agent is stored on chain-mainnet at \w+\.\n$/,
    ),
  })
  await expect.poll(status, { timeout: 30_000 }).toBe(404)
  expect((await fetch(`${url}${path}/agent-card.json`)).status).toBe(404)
  expect((await getJson('/v1/agents')).data.total).toBe(0)
  expect((await run('agent', 'unhide', address)).stdout).toBe(`${address} on chain-mainnet is not hidden\n`)
  await expect.poll(status, { timeout: 30_000 }).toBe(200)

  expect((await run('agent', 'spotlight', 'list')).stdout).toBe('The spotlight is empty.\n')
  expect((await run('agent', 'spotlight', 'add', address)).stdout).toBe(
    `${address} is in the spotlight of chain-mainnet\n`,
  )
  expect((await run('agent', 'spotlight', 'list')).stdout).toMatch(/ {2}spotlight {2}Tidewatch\n$/)
  expect((await getJson('/v1/agents?spotlight=true')).data.agents).toMatchObject([{ mintAddress: address }])
  expect((await run('agent', 'spotlight', 'remove', address)).code).toBe(0)
  expect((await getJson('/v1/agents?spotlight=true')).data.agents).toEqual([])
})

test('with --json, a command prints one object with the documented fields', async () => {
  const { run, register, getJson } = start()
  const { address } = world.agent('tidewatch')
  const { genesisAccount } = registrationOf(world, 'kiln')
  await register(registrationOf(world, 'kiln'))
  await getJson(`/v1/agents/${address}`)
  const file = join(await mkdtemp(join(tmpdir(), 'slipway-json-')), 'card.json')
  onTestFinished(() => rm(dirname(file), { recursive: true }))
  await writeFile(file, JSON.stringify(EXAMPLE_CARD))
  const operands: Record<string, string> = {
    '<address...>': address,
    '<address>': address,
    '<genesis-address...>': genesisAccount,
    '<genesis-address>': genesisAccount,
    '<file>': file,
  }
  const commands = COMMANDS.filter(
    each =>
      each.json &&
      Object.keys(each.operands ?? {}).every(name => operands[name]) &&
      !['card verify', 'index-chain', 'doctor'].includes(each.name),
  )
  expect(commands.length).toBeGreaterThan(18)
  for (const { name, json = [], operands: needed = {} } of commands) {
    const given = Object.keys(needed).map(each => operands[each] as string)
    const { code, stdout, stderr } = await run(...name.split(' '), ...given, '--json')
    expect([name, code, stderr]).toEqual([name, 0, ''])
    expect(Object.keys(JSON.parse(stdout)).toSorted(), name).toEqual(json.toSorted())
  }
  const refused = await run('agent', 'hide', UNUSED_ADDRESS, '--json')
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([
    1,
    { network: 'chain-mainnet', addresses: [], unchanged: [], unknown: [UNUSED_ADDRESS] },
  ])
  expect(refused.stderr).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(refused.stderr)).toEqual({
    error: { code: 'FAILED', message: `No agent is stored on chain-mainnet at ${UNUSED_ADDRESS}.` },
    store: expect.stringContaining('(DATABASE_URL)'),
    network: 'chain-mainnet',
  })
})

test('audit prints every change that was made on the command line, and nothing else', async () => {
  const { run, register, getJson } = start()
  const { address } = world.agent('patchbot')
  const { genesisAccount } = registrationOf(world, 'patchbot')
  await register(registrationOf(world, 'patchbot'))
  await getJson(`/v1/agents/${address}`)

  for (const args of [
    ['agent', 'hide', address],
    ['agent', 'inspect', address],
    ['verify-agent', address],
    ['spotlight', 'add', genesisAccount],
    ['spotlight', 'list'],
    ['launch', 'hide', genesisAccount],
    ['launch', 'refresh', genesisAccount],
    // These change nothing.
    ['agent', 'hide', address],
    ['agent', 'spotlight', 'remove', address],
    ['verify-agent', address],
    ['spotlight', 'add', genesisAccount],
    ['launch', 'hide', genesisAccount],
  ])
    expect(await run(...args)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('slipway:') })
  for (const args of [
    ['agent', 'hide', UNUSED_ADDRESS],
    ['card', 'remove', address],
  ])
    expect(await run(...args)).toMatchObject({ code: 1 })
  const { stdout } = await run('audit')
  const entries = stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split(/ {2,}/))
    .filter(([, , , , subject]) => [address, genesisAccount].includes(subject as never))
  expect(entries.map(([, operator, ...entry]) => [operator, ...entry])).toEqual(
    [
      ['agent hide', address],
      ['verify-agent', address],
      ['spotlight add', genesisAccount],
      ['launch hide', genesisAccount],
      ['launch refresh', genesisAccount],
    ].map(([command, subject]) => [userInfo().username, command, 'chain-mainnet', subject]),
  )
  expect((await run('audit', '--network', 'chain-devnet')).stdout).toBe(
    'No changes have been made on the command line on chain-devnet.\n',
  )
  expect((await run('agent', 'hide', address)).stdout).toBe(
    `${address} on chain-mainnet is hidden (unchanged)\n`,
  )
  expect(JSON.parse((await run('agent', 'hide', address, '--json')).stdout)).toMatchObject({
    addresses: [address],
    unchanged: [address],
  })
  for (const [at] of entries) expect(at).toBe(new Date(at as string).toISOString())
})

/** The command line on a store without a service. */
async function startStore() {
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
  const { connection, database, run, json } = await startStore()
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
  const { connection, database, run, json } = await startStore()
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
