import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { copyDemoWorld } from '../testing/demo-copy.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { freeChainPort, freePort, runSlipway } from '../testing/run-slipway.ts'
import { createTestConnection, MIGRATED, toDatabaseUrl } from '../testing/test-database.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'slipway-packed-'))
const installed = join(folder, 'package')
const program = join(installed, 'bin/slipway.js')
const readManifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
const run = (...args: string[]) =>
  execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/package.js'), folder], { cwd: folder, stdio: 'pipe' })
  execFileSync('tar', ['-xzf', readdirSync(folder).find(name => name.endsWith('.tgz')) as string], {
    cwd: folder,
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Instead of npm, which would have to download them. */
function installOptional(): void {
  for (const name of Object.keys(readManifest().optionalDependencies)) {
    const target = join(installed, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), target)
  }
}

test('the package needs no other package, and says which optional ones are missing', async () => {
  expect(readManifest().dependencies).toBe(undefined)
  expect(run('--version').trim()).toBe(readManifest().version)
  const { version, commit } = JSON.parse(run('version', '--json'))
  expect([version, commit]).toEqual([readManifest().version, readManifest().gitHead])
  expect(commit).toMatch(/^[\da-f]{40}$/)
  expect(run('--help')).toContain('  slipway spotlight list')
  const variables = { DATA_DIR: join(folder, 'none'), LOCAL_CHAIN_PORT: await freeChainPort() }
  const { finished } = runSlipway(['serve'], variables, { program })
  expect(await finished).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('is not installed: install Slipway again, including optional packages'),
  })
})

test('the bill of materials lists everything that the package contains, and no licence asks for more than a notice', () => {
  const bom = JSON.parse(readFileSync(join(installed, 'bom.json'), 'utf8'))
  const components: { name: string; purl: string; licenses?: [{ license?: { id: string } }] }[] =
    bom.components
  const names = components.map(({ name }) => name)
  for (const name of ['fastify', 'pg', 'preact', '@metaplex-foundation/genesis', 'litesvm-linux-x64-gnu'])
    expect(names).toContain(name)
  const licences = new Set(components.map(({ licenses }) => licenses?.[0].license?.id))
  const permitted = ['Apache-2.0', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'OFL-1.1', 'Unlicense']
  expect([...licences].sort()).toEqual(permitted)
  expect(components.find(({ name }) => name === '@fastify/proxy-addr')?.purl).toMatch(
    /^pkg:npm\/%40fastify\/proxy-addr@\d/,
  )
  const texts = readFileSync(join(installed, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  expect(
    names.filter(name => !texts.includes(`${name} `)).every(name => /^(?:litesvm-|@embedded)/.test(name)),
  ).toBe(true)
})

test('an installed package serves the API, the reference and the pages, and its examples work', async () => {
  installOptional()
  const dataDir = join(folder, 'data')
  const connection = await createTestConnection(onTestFinished, MIGRATED)
  const env = {
    DATA_DIR: dataDir,
    PORT: await freePort(),
    LOCAL_CHAIN: 'on',
    LOCAL_CHAIN_PORT: await copyDemoWorld(dataDir),
    DATABASE_URL: toDatabaseUrl(connection),
    SITE: 'on',
  }
  const { commands = [] } = await runSlipway(['serve'], env, { program }).serving()
  const url = `http://localhost:${env.PORT}`
  expect((await rawRequest(url, '/docs')).status).toBe(200)
  expect((await rawRequest(url, '/')).text).toContain('<title>Launches')
  const withdraw = commands.find(command => command.includes('withdraw.js')) as string
  expect(execFileSync('sh', ['-c', withdraw], { cwd: folder, encoding: 'utf8' })).toMatch(
    /^confirmed {2}\w+$/m,
  )
})
