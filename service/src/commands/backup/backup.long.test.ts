import { execFile, execFileSync } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { copyDemoWorld } from '../../testing/demo-copy.ts'
import { followEvents } from '../../testing/event-client.ts'
import { rawRequest } from '../../testing/raw-request.ts'
import { runCommand } from '../../testing/run-command.ts'
import { freePort, runSlipway } from '../../testing/run-slipway.ts'
import { copyEmbeddedDatabase } from '../../testing/test-database.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const WAIT = { timeout: 60_000 }
/** Kills a process when it moves the folder `db` out of a folder in which a restore builds. */
const KILL_AT_DATABASE = `--import=data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs/promises'
  import { syncBuiltinESMExports } from 'node:module'
  const { rename } = fs
  fs.rename = (from, to) =>
    from.includes('/.moving-in-') && from.endsWith('/db') ? process.kill(process.pid, 'SIGKILL') : rename(from, to)
  syncBuiltinESMExports()`)}`

test('what a running service has stored, its chain and its keys survive the loss of DATA_DIR', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // PostgreSQL may run as another user.
  execFileSync('chmod', ['711', folder])
  const dataDir = join(folder, 'data')
  const file = join(folder, 'slipway.backup')
  // Data often is on another disk, with a link to it.
  const disk = join(folder, 'disk')
  symlinkSync('disk', dataDir)
  copyEmbeddedDatabase(disk)
  const env = { DATA_DIR: dataDir, PORT: await freePort(), LOCAL_CHAIN_PORT: await copyDemoWorld(disk) }
  const url = `http://localhost:${env.PORT}`
  const first = runSlipway(['serve'], env)
  await first.serving()
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  const { rpcUrl, agents } = demo.networks['chain-mainnet']
  const [{ genesisAccount }] = demo.registrations
  const run = (...args: string[]) => runCommand(args, env)
  const runExample = (name: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'examples', name), ...args], {
      env: { ...process.env, DATA_DIR: dataDir, SLIPWAY_URL: url },
    })
  const readBalance = async () => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'getBalance',
      params: [agents[0].owner, { commitment: 'confirmed' }],
    }
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await response.json()) as { result: { value: number } }).result.value
  }

  await runExample('register.js')
  await runExample('withdraw.js', '0.02')
  const balance = await readBalance()
  const client = await followEvents(url)
  const saved = await run('backup', file, '--json')
  expect([saved.code, saved.stderr]).toEqual([0, ''])
  const counted = JSON.parse(saved.stdout)
  expect(JSON.parse(saved.stdout)).toMatchObject({
    file,
    files: expect.any(Number),
    rows: expect.any(Number),
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'disk', 'slipway.backup'])
  // After the backup, so it is lost.
  expect((await run('launch', 'hide', genesisAccount)).code).toBe(0)
  await expect.poll(() => client.events.map(({ type }) => type), WAIT).toContain('launch.hidden')
  const secret = readFileSync(join(dataDir, 'social-token-secret'), 'utf8')

  expect(await run('restore', file, '--replace')).toMatchObject({
    code: 1,
    stderr: `slipway: A running service uses DATA_DIR ${dataDir}. Stop it first.\n`,
  })
  first.child.kill('SIGTERM')
  await first.finished
  expect((await run('restore', file)).stderr).toMatch(
    /is not empty\. Choose another DATA_DIR, or add --replace/,
  )
  const restored = await run('restore', file, '--replace', '--json')
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  const { rows, files, replaced } = JSON.parse(restored.stdout)
  expect({ rows, files }).toEqual({ rows: counted.rows, files: counted.files })
  expect(readdirSync(replaced)).toContain('db')
  rmSync(replaced, { recursive: true })
  expect(lstatSync(dataDir).isSymbolicLink()).toBe(true)
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'disk', 'slipway.backup'])
  expect(readFileSync(join(dataDir, 'social-token-secret'), 'utf8')).toBe(secret)

  // Again, but this one is killed before its database is in its place.
  const killed = runSlipway(['restore', file, '--replace'], { ...env, NODE_OPTIONS: KILL_AT_DATABASE })
  const { stderr } = await killed.finished
  expect(killed.child.signalCode, stderr).toBe('SIGKILL')
  expect(readdirSync(dataDir)).not.toContain('db')
  const second = runSlipway(['serve'], env)
  await second.serving()
  expect(second.log()).toContain('A restore was interrupted and is now complete')
  expect((await rawRequest(url, '/v1/launches')).text).toContain(genesisAccount)
  expect(await readBalance()).toBe(balance)
  const resumed = await followEvents(url, { lastEventId: client.lastEventId() })
  await expect.poll(() => resumed.events.map(({ type }) => type)[0], WAIT).toBe('reset')
  second.child.kill('SIGTERM')
  await second.finished
}, 600_000)
