// @module-tag timing
import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { registrationOf } from '../testing/demo-launches.ts'
import { startRegistering, UNUSED_ADDRESS } from '../testing/registering.ts'
import { runSlipway } from '../testing/run-slipway.ts'

const world = useDemo()

/** A running node, and the command line on the same store and chain. */
async function start() {
  const service = await startRegistering(world)
  const { host, port, user, database } = service.connection as never as Record<string, string>
  const url = `postgres:///${database}?host=${encodeURIComponent(host as string)}&port=${port}&user=${user}`
  const settings = { DATABASE_URL: url, RPC_URL_MAINNET: world.chainOf().local.rpcUrl }
  return { ...service, run: (...args: string[]) => runSlipway(args, settings).finished }
}

test('agent hide, show and spotlight change the responses of a running node', async () => {
  const { run, getJson, url } = await start()
  const { address } = world.agent('tidewatch')
  const path = `/v1/agents/${address}`
  const status = async () => (await fetch(url + path)).status
  expect(await status()).toBe(200)

  expect(await run('agent', 'hide', address, UNUSED_ADDRESS)).toEqual({
    code: 1,
    stdout: `${address} on chain-mainnet is hidden\n`,
    stderr: `slipway: No agent is stored on chain-mainnet at ${UNUSED_ADDRESS}.\n`,
  })
  await expect.poll(status, { timeout: 5_000 }).toBe(404)
  expect((await fetch(`${url}${path}/agent-card.json`)).status).toBe(404)
  expect((await getJson('/v1/agents')).data.total).toBe(0)
  expect((await run('agent', 'show', address)).stdout).toBe(`${address} on chain-mainnet is shown\n`)
  await expect.poll(status, { timeout: 5_000 }).toBe(200)

  expect((await run('agent', 'spotlight', 'list')).stdout).toBe('The spotlight is empty.\n')
  expect((await run('agent', 'spotlight', 'add', address)).stdout).toBe(
    `${address} is in the spotlight of chain-mainnet\n`,
  )
  expect((await run('agent', 'spotlight', 'list')).stdout).toContain(`${address}  Tidewatch\n`)
  expect((await getJson('/v1/agents?spotlight=true')).data.agents).toMatchObject([{ mintAddress: address }])
  expect((await run('agent', 'spotlight', 'remove', address)).code).toBe(0)
  expect((await getJson('/v1/agents?spotlight=true')).data.agents).toEqual([])
}, 90_000)

test('audit prints every change that was made on the command line, and nothing else', async () => {
  const { run, register, getJson } = await start()
  const { address } = world.agent('tidewatch')
  const { genesisAccount } = registrationOf(world, 'kiln')
  await register(registrationOf(world, 'kiln'))
  await getJson(`/v1/agents/${address}`)
  expect((await run('audit')).stdout).toBe('No changes have been made on the command line.\n')

  for (const args of [
    ['agent', 'hide', address],
    ['agent', 'inspect', address],
    ['verify-agent', address],
    ['spotlight', 'add', genesisAccount],
    ['spotlight', 'list'],
    ['launch', 'hide', genesisAccount],
    ['launch', 'refresh', genesisAccount],
  ])
    expect(await run(...args)).toMatchObject({ code: 0, stderr: '' })
  for (const args of [
    ['agent', 'hide', UNUSED_ADDRESS],
    ['card', 'remove', address],
  ])
    expect(await run(...args)).toMatchObject({ code: 1 })
  const { stdout } = await run('audit')
  const entries = stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split('  '))
  expect(entries.map(([, operator, ...entry]) => [operator, ...entry])).toEqual(
    [
      ['agent hide', address],
      ['verify-agent', address],
      ['spotlight add', genesisAccount],
      ['launch hide', genesisAccount],
      ['launch refresh', genesisAccount],
    ].map(([command, subject]) => [userInfo().username, command, 'chain-mainnet', subject]),
  )
  for (const [at] of entries) expect(at).toBe(new Date(at as string).toISOString())
}, 120_000)

test.each([
  [['agent'], 'agent needs one of hide, show, spotlight, inspect'],
  [['agent', 'hide'], 'agent hide needs the address of an agent'],
  [['agent', 'spotlight'], 'agent spotlight needs one of list, add, remove'],
  [['agent', 'spotlight', 'add'], 'agent spotlight add needs the address of an agent'],
  [['audit', 'all'], 'audit takes no arguments'],
])('%j is refused in one line', async (args, reason) => {
  expect(await runSlipway(args, {}).finished).toEqual({
    code: 1,
    stdout: '',
    stderr: `slipway: ${reason}. Run "slipway help" to see the commands.\n`,
  })
})
