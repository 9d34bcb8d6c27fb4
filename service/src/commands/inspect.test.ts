import { createHash } from 'node:crypto'
import type { Address } from '@slipway/schema/address'
import { describe, expect, test } from 'vitest'
import { tokenWriter } from '../agents/wallet/test-tokens.ts'
import { useDemo } from '../testing/demo.ts'
import { demoLaunch, makeLaunch, registrationOf } from '../testing/demo-launches.ts'
import { registeringOn, UNUSED_ADDRESS } from '../testing/registering.ts'
import { runCommand } from '../testing/run-command.ts'
import { freeChainPort } from '../testing/run-slipway.ts'
import { runSql, toDatabaseUrl } from '../testing/test-database.ts'
import { useTestService } from '../testing/test-service.ts'

const world = useDemo()

const node = useTestService(() => ({ config: world.config(), social: { apiUrl: world.demo.socialUrl } }))

/** The running node, and the command line on the same store and chain. */
function start(env: Record<string, string> = {}) {
  const service = registeringOn(node())
  const settings = {
    DATABASE_URL: toDatabaseUrl(service.connection as never),
    RPC_URL_MAINNET: world.chainOf().local.rpcUrl,
    METADATA_ALLOW_HOSTS: world.demo.documentsHost,
    ...env,
  }
  const run = (...args: string[]) => runCommand(args, settings)
  return {
    ...service,
    run: (...args: string[]) => run('launch', ...args),
    runAgent: (...args: string[]) => run('agent', ...args),
  }
}

describe('launch hide and unhide', () => {
  test('remove a launch from all responses of a running node, and bring it back', async () => {
    const { run, register, shown, getJson, url } = start()
    const body = registrationOf(world, 'patchbot', { agent: { mint: world.agent('patchbot').address } })
    const { genesisAccount: address } = body
    const first = (await register(body)).body
    await shown(address)
    const paths = [
      `/v1/launches/${address}`,
      '/v1/launches',
      `/v1/tokens/${demoLaunch(world, 'patchbot').mint}`,
      `/v1/agents/${world.agent('patchbot').address}`,
    ]
    const seen = async () => {
      const answers = await Promise.all(paths.map(async path => JSON.stringify(await getJson(path))))
      return answers.map(text => text.includes('"symbol":"PATCH"'))
    }
    const { token: mint } = world.agent('patchbot')
    const tokensOfAgent = async () => (await getJson(paths[3] as string)).tokens
    await expect.poll(tokensOfAgent, { timeout: 30_000 }).toMatchObject([{ address: mint }])

    expect(await run('hide', address, UNUSED_ADDRESS)).toEqual({
      code: 1,
      stdout: `${address} on chain-mainnet is hidden\n`,
      stderr: expect.stringMatching(
        new RegExp(`\\nslipway: No launch is registered on chain-mainnet at ${UNUSED_ADDRESS}\\.\\n$`),
      ),
    })
    await expect
      .poll(async () => (await seen()).slice(0, 3), { timeout: 30_000 })
      .toEqual([false, false, false])
    await expect.poll(tokensOfAgent, { timeout: 30_000 }).toEqual([])
    // Registering it again does not bring it back.
    expect((await register(body)).body).toEqual({ ...first, existing: true })
    expect((await fetch(`${url}${paths[0]}`)).status).toBe(404)

    expect((await run('unhide', address)).stdout).toBe(`${address} on chain-mainnet is not hidden\n`)
    await expect.poll(async () => (await seen()).slice(0, 3), { timeout: 30_000 }).toEqual([true, true, true])
  })
})

describe('launch refresh', () => {
  test('corrects the stored launch from the chain and the document, and leaves the rest unchanged', async () => {
    const { run, register, shown, connection } = start()
    const body = registrationOf(world, 'kiln')
    await register(body)
    const right = await shown(body.genesisAccount)
    const here = `WHERE genesis_address = '${body.genesisAccount}'`
    await runSql(
      connection,
      `UPDATE tokens SET name = 'Spoilt', symbol = 'X', image = '', description = 'spoilt' WHERE mint = '${right.baseToken.address}';
       UPDATE launches SET mechanic = 'presaleV2', starts_at = now(), ends_at = now(), graduated_at = NULL ${here};
       DELETE FROM buckets ${here}`,
    )
    await expect
      .poll(async () => (await shown(body.genesisAccount)).baseToken.name, { timeout: 30_000 })
      .toBe('Spoilt')
    expect(await run('refresh', body.genesisAccount)).toMatchObject({ code: 0 })
    await expect.poll(() => shown(body.genesisAccount), { timeout: 30_000 }).toEqual(right)
    expect((await runSql(connection, `SELECT kind FROM buckets ${here}`)).rows).toEqual([
      { kind: 'launchpoolV2' },
    ])

    // A known graduation is kept; a newer state is not overwritten.
    await runSql(connection, `UPDATE launches SET graduated_at = '2020-01-01', slot = 9000000000000 ${here}`)
    const refused = await run('refresh', body.genesisAccount)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/^slipway: .* newer state .*\n$/m)
    await runSql(connection, `UPDATE launches SET slot = 0 ${here}`)
    expect((await run('refresh', body.genesisAccount)).code).toBe(0)
    await expect
      .poll(async () => (await shown(body.genesisAccount)).launch.graduatedAt, { timeout: 30_000 })
      .toBe('2020-01-01T00:00:00.000Z')
  })
})

test('launch refresh keeps the registered image and description while the document cannot be fetched', async () => {
  const { run, register, shown } = start()
  const { body } = makeLaunch(world, { name: 'Gone', uri: 'http://127.0.0.1:9/gone' })
  const given = { image: 'https://body.example/i.png', description: 'said' }
  await register({ ...body, launch: { ...body.launch, ...given } })
  expect(await run('refresh', body.genesisAccount)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/now matches the chain\. Its document could not be fetched, /),
  })
  expect((await shown(body.genesisAccount)).baseToken).toMatchObject(given)
})

test('a document that this service hosts is read from the store', async () => {
  const { run, register, connection } = start({ PUBLIC_URL: 'https://slipway.example' })
  const document = Buffer.from(JSON.stringify({ name: 'Hosted', description: 'From the store.' }))
  const sha256 = createHash('sha256').update(document).digest('hex')
  const uri = `https://slipway.example/v1/documents/${sha256}.json`
  const { body } = makeLaunch(world, { name: 'Hosted', uri })
  const { genesisAccount } = body
  await runSql(
    connection,
    `INSERT INTO documents (sha256, body, size, network, asset, client)
     VALUES ('${sha256}', '\\x${document.toString('hex')}', ${document.length}, 'chain-mainnet', '${genesisAccount}', 'test')`,
  )
  await register(body)
  const inspected = await run('inspect', genesisAccount)
  expect(inspected.stdout).toContain(`document: ${uri}\n`)
  expect(inspected.stdout).toMatch(/ {2}description +store, document: From the store\.\n/)
  expect((await run('refresh', genesisAccount)).stdout).toContain('now matches the chain and its document\n')
})

describe('launch inspect', () => {
  test('shows store, chain and document side by side, and marks the differences', async () => {
    const { run, register, connection } = start()
    const body = registrationOf(world, 'harbour-cat')
    const unregistered = await run('inspect', body.genesisAccount)
    expect(unregistered.stdout).toContain('store: not registered')
    expect(unregistered.stdout).toMatch(/ {2}name +chain, document: Harbour Cat/)
    await register(body)
    await runSql(
      connection,
      `UPDATE tokens SET name = E'Har\\u202ebour' WHERE name = 'Harbour Cat';
       UPDATE launches SET hidden = true WHERE genesis_address = '${body.genesisAccount}'`,
    )
    const { code, stdout } = await run('inspect', body.genesisAccount)
    expect(code).toBe(0)
    expect(stdout).toContain('HIDDEN')
    expect(stdout).toMatch(/≠ name +store: Harbour\n +chain, document: Harbour Cat\n/)
    expect(stdout).toMatch(/ {2}symbol +store, chain: CAT\n/)
    expect(stdout).toMatch(/ {2}image +store, document: http:.*harbour-cat\.svg\n/)
    expect(stdout).toMatch(/ {2}graduated +store, chain: true\n/)
    expect(stdout).toMatch(/bucket \w+ raydiumCpmmV2, pays \w+/)
  })

  test('an unreachable chain is an error that names the RPC, and the stored launch is still shown', async () => {
    const { run, register } = start({ RPC_URL_MAINNET: 'http://127.0.0.1:9/a-key' })
    const body = registrationOf(world, 'kiln')
    await register(body)
    const inspected = await run('inspect', body.genesisAccount)
    const reason =
      'slipway: No RPC endpoint of chain-mainnet can be used (127.0.0.1:9): none answers. Check RPC_URL_MAINNET.\n'
    expect([inspected.code, inspected.stderr]).toEqual([1, expect.stringContaining(reason)])
    expect(inspected.stdout).toContain('chain: could not be read\n')
    expect(inspected.stdout).toContain('store: Kiln')
    expect(await run('refresh', body.genesisAccount)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /\nrpc {7}127\.0\.0\.1:9 \(RPC_URL_MAINNET\)\nslipway: No RPC endpoint of chain-mainnet can be used \(127\.0\.0\.1:9\): none answers\. Check RPC_URL_MAINNET\.\n$/,
      ),
    })
  })
})

test('inspecting an address without a launch or an agent prints what is known about it, and then fails', async () => {
  const { run, runAgent } = start()
  const launch = await run('inspect', UNUSED_ADDRESS)
  expect([launch.code, launch.stdout, launch.stderr]).toEqual([
    1,
    expect.stringContaining('chain: no launch at this address'),
    expect.stringContaining(`slipway: There is no launch on chain-mainnet at ${UNUSED_ADDRESS}.\n`),
  ])
  const agent = await runAgent('inspect', UNUSED_ADDRESS)
  expect([agent.code, agent.stdout, agent.stderr]).toEqual([
    1,
    expect.stringContaining('chain: no registered agent at this address'),
    expect.stringContaining(
      `slipway: No agent is registered or stored on chain-mainnet at ${UNUSED_ADDRESS}.\n`,
    ),
  ])
})

test('inspect shows the tokens in the wallet, and who can spend them', async () => {
  const { runAgent } = start()
  const { address, wallet } = world.agent('bellringer') as unknown as { address: Address; wallet: Address }
  const { hold, mint } = tokenWriter(world.chainOf().local)
  const token = mint({ name: 'Rope', symbol: 'ROPE', decimals: 2 })
  hold(wallet, token, 1_250n)
  const { stdout } = await runAgent('inspect', address)
  expect(stdout).toContain(`  12.5 ROPE (mint ${token})\ndelegates: none, only the owner can spend\n`)
  const { stdout: json } = await runAgent('inspect', address, '--json')
  expect(JSON.parse(json)).toMatchObject({ tokens: [{ mint: token, amount: '1250' }], delegates: [] })
})

test('a launch that is not registered is not refreshed', async () => {
  const { run } = start({
    RPC_URL_MAINNET: '',
    LOCAL_CHAIN: 'on',
    LOCAL_CHAIN_PORT: await freeChainPort(),
  })
  expect((await run('refresh', UNUSED_ADDRESS)).stderr).toContain(
    `slipway: No launch is registered on chain-mainnet at ${UNUSED_ADDRESS}.\n`,
  )
})
