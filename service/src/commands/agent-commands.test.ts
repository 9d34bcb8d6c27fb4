// @module-tag timing
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { EXAMPLE_CARD } from '../agents/examples.ts'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { runCommand } from '../testing/run-command.ts'
import { freeChainPort, freePort, runSlipway } from '../testing/run-slipway.ts'

const EXAMPLE = fileURLToPath(new URL('../../../examples/withdraw.js', import.meta.url))

test('an operator verifies an agent, hosts its card and inspects it while the service runs; the owner withdraws', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-agents-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, PORT: await freePort(), LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir) }
  const service = runSlipway(['serve'], env)
  const { commands } = await service.serving()
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const agents: { address: string; funded: boolean }[] = demo.networks['chain-mainnet'].agents
  const { address } = agents.find(({ funded }) => funded) as { address: string }
  const url = `http://localhost:${env.PORT}/v1/agents/${address}`
  const detail = async () => (await fetch(url)).json() as Promise<{ verifiedAt: string | null }>
  const card = async () => (await fetch(`${url}/agent-card.json`)).text()
  const run = (...args: string[]) => runCommand(args, env)

  expect(commands).toContain(`curl ${url}`)
  expect((await detail()).verifiedAt).toBeNull()
  expect((await run('verify-agent', address)).stdout).toMatch(
    /on chain-mainnet has been verified since \d{4}-/,
  )
  await expect.poll(async () => (await detail()).verifiedAt).toMatch(/Z$/)
  expect((await run('verify-agent', address, '--clear')).stdout).toContain('is not verified')
  await expect.poll(async () => (await detail()).verifiedAt).toBeNull()
  expect((await run('verify-agent', 'junk')).stderr).toBe('slipway: "junk" is not a valid agent address.\n')

  const synthesised = await card()
  const file = join(dataDir, 'card.json')
  writeFileSync(file, JSON.stringify({ ...EXAMPLE_CARD, skills: [] }))
  expect(await run('card', 'put', address, file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^slipway: The file is not a valid A2A card: skills: [^\n]+\n$/),
  })
  expect(await card()).toBe(synthesised)
  const authored = `${JSON.stringify(EXAMPLE_CARD, null, 3)}\n`
  writeFileSync(file, authored)
  expect((await run('card', 'put', address, file)).stdout).toContain('Stored the card')
  await expect.poll(card).toBe(authored)
  expect((await run('card', 'show', address)).stdout).toBe(authored)
  expect((await run('agent', 'inspect', address)).stdout).toContain('card: authored')
  expect((await run('card', 'remove', address)).code).toBe(0)
  await expect.poll(card).toBe(synthesised)
  expect((await run('card', 'remove', address)).stderr).toMatch(/^slipway: No card is stored/m)

  // Like a command in another terminal, it is not given the service's LOCAL_CHAIN_PORT.
  const { stdout: inspected } = await runCommand(['agent', 'inspect', address], {
    ...env,
    LOCAL_CHAIN_PORT: await freeChainPort(),
  })
  expect(inspected).toMatch(/^wallet: \w+, holds \d+\.\d+ SOL\n.*\nchain: registered, as of slot \d+\n/m)
  expect(inspected).toMatch(/^document now: \d+ bytes\n {2}\{\n {4}"/m)
  expect(inspected).not.toContain('cannot be fetched')

  const withdrawn = await promisify(execFile)(process.execPath, [EXAMPLE, '0.02'], {
    env: { ...process.env, DATA_DIR: dataDir, SLIPWAY_URL: `http://localhost:${env.PORT}` },
  })
  const [, before, after] = /: ([\d.]+) → ([\d.]+) SOL/.exec(withdrawn.stdout) ?? []
  expect(Math.round((Number(before) - Number(after)) * 1e9)).toBe(20_000_000)

  service.child.kill('SIGTERM')
  expect((await service.finished).code).toBe(0)
  expect(await run('agent', 'inspect', address)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('chain: could not be read\n'),
    stderr: expect.stringContaining(
      `slipway: The embedded chain-mainnet at 127.0.0.1:${env.LOCAL_CHAIN_PORT} doesn't answer. Start the service`,
    ),
  })
}, 120_000)
