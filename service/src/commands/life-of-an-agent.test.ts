// @module-tag timing
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ClientFactory } from '@a2a-js/sdk/client'
import { expect, onTestFinished, test } from 'vitest'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { runCommand } from '../testing/run-command.ts'
import { freePort, runSlipway } from '../testing/run-slipway.ts'

const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url))

test('the examples mint an agent, fund it, withdraw from it and create a launch; an operator removes a document', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'slipway-life-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, PORT: await freePort(), LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir) }
  const service = runSlipway(['serve'], env)
  await service.serving()
  const home = `http://localhost:${env.PORT}`
  const example = async (name: string, ...args: string[]) => {
    const options = { env: { ...process.env, DATA_DIR: dataDir, SLIPWAY_URL: home } }
    return (await promisify(execFile)(process.execPath, [join(EXAMPLES, name), ...args], options)).stdout
  }
  const moved = (output: string) => {
    const [, before, after] = /: ([\d.]+) → ([\d.]+) SOL/.exec(output) ?? []
    return Math.round((Number(after) - Number(before)) * 1e9)
  }

  const minted = await example('mint.js', 'Lockkeeper')
  const [, agent = ''] = /^minted +(\w+) \(Lockkeeper\)$/m.exec(minted) ?? []
  const [, document = '', sha256 = ''] = /^document +(\S+\/([\da-f]{64})\.json)$/m.exec(minted) ?? []
  expect(document).toBe(`${home}/v1/documents/${sha256}.json`)
  expect((await fetch(document)).headers.get('cache-control')).toContain('immutable')

  expect(moved(await example('fund.js', agent, '0.05', 'For the next lock'))).toBe(50_000_000)
  const client = await new ClientFactory().createFromUrl(`${home}/v1/agents/${agent}/`)
  expect(await client.getAgentCard()).toMatchObject({ name: 'Lockkeeper' })
  expect(moved(await example('withdraw.js', '0.02', agent))).toBe(-20_000_000)

  const launched = await example('launch.js', 'Lock Fund', 'LOCK')
  const [, launch = ''] = /^launch +(\S+)$/m.exec(launched) ?? []
  const readLaunch = async () => (await fetch(launch)).json()
  // A node shows a registration within a second.
  await expect.poll(readLaunch, { timeout: 5_000 }).toMatchObject({
    data: {
      launch: { mechanic: 'bondingCurveV2', status: 'live' },
      baseToken: { name: 'Lock Fund', symbol: 'LOCK' },
      website: 'https://harbour-lights.example',
    },
  })

  const run = (...args: string[]) => runCommand(args, env)
  expect((await run('document', 'remove', document)).stdout).toBe(`Removed the document ${sha256}\n`)
  expect((await fetch(document)).status).toBe(404)
  const cardStatus = async () => (await fetch(`${home}/v1/agents/${agent}/agent-card.json`)).status
  await expect.poll(cardStatus).toBe(404)
  expect(await run('document', 'remove', sha256)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`\nslipway: No document with the hash ${sha256} is hosted here.\n`),
  })
  expect((await run('document', 'remove', 'junk')).stderr).toMatch(
    /^slipway: document remove needs the SHA-256/,
  )
}, 120_000)
