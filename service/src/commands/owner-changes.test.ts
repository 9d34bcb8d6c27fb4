// @module-tag timing
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { runCommand } from '../testing/run-command.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'

const example = (name: string) => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))

test('a newcomer sees signed cards, and the examples change a card and correct links', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-signed-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, PORT: await freePort(), LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir) }
  const service = runSlipway(['serve'], env)
  await service.serving()
  const url = `http://localhost:${env.PORT}`
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const { address } = demo.networks['chain-mainnet'].agents.find(({ funded }: { funded: boolean }) => funded)
  const run = (...args: string[]) => runCommand(args, env)
  const runExample = async (name: string, ...args: string[]) =>
    (
      await promisify(execFile)(process.execPath, [example(name), ...args], {
        env: { ...process.env, DATA_DIR: dataDir, SLIPWAY_URL: url },
      })
    ).stdout

  // The indexer may still be fetching the agent's document.
  const card = () => fetch(`${url}/v1/agents/${address}/agent-card.json`)
  await expect.poll(async () => (await card()).status, { timeout: 20_000 }).toBe(200)
  const verified = await run('card', 'verify', address)
  expect(verified).toMatchObject({ code: 0, stderr: `service   ${url}\nnetwork   chain-mainnet\n` })
  expect(verified.stdout).toMatch(
    /signature 1 {2}valid: ES256, key [\w-]{43}, published at http:\/\/localhost:\d+\/\.well-known\/jwks\.json\n/,
  )
  expect(verified.stdout).toContain(
    'not covered  url, protocolVersion, supportedInterfaces[].transport, additionalInterfaces\n',
  )

  const replaced = await runExample('sign-card.js')
  expect(replaced).toContain(`Slipway: replace agent card\ndeployment: ${url}\n`)
  expect(replaced).toContain('in the words of its owner.')
  expect(await run('card', 'verify', address)).toMatchObject({
    code: 1,
    stdout: expect.not.stringContaining('covered'),
    stderr: expect.stringContaining('The card is not signed: it is an authored card.'),
  })
  expect(await runExample('sign-card.js', 'remove')).toMatch(/removed +(?!.*in the words)/)
  expect((await run('card', 'verify', address)).code).toBe(0)

  expect(await runExample('correct-links.js', 'https://right.example')).toMatch(
    /^before .*\nafter .*: https:\/\/right\.example, https:\/\/x\.com\/corrected\n$/s,
  )
  service.child.kill('SIGTERM')
  expect((await service.finished).code).toBe(0)
  expect((await run('card', 'verify', address)).stderr).toContain(
    "doesn't answer. Start the service, or set PUBLIC_URL or PORT as the service has them.",
  )
}, 180_000)
