import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { runSlipway } from './testing/run-slipway.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const WORKSPACES = ['schema', 'service', 'embedded-postgres', 'local-chain']

test('what one user built, every other can run', async () => {
  expect(await runSlipway(['help'], {}).finished).toMatchObject({ code: 0, stderr: '' })
  const dist = join(root, 'service/dist')
  const builds = readdirSync(dist)
    .filter(name => name.startsWith('service-'))
    .map(name => statSync(join(dist, name)))
  const [newest] = builds.sort((a, b) => b.mtimeMs - a.mtimeMs)
  expect((newest?.mode ?? 0) & 0o777).toBe(0o755)
})

/** A copy of the sources that has never been built. Only its owner can write to it. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'slipway-install-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const workspace of WORKSPACES)
    cpSync(join(root, workspace, 'src'), join(copy, workspace, 'src'), { recursive: true })
  for (const folder of ['service/bin', 'scripts'])
    cpSync(join(root, folder), join(copy, folder), { recursive: true })
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  chmodSync(copy, 0o755)
  return copy
}

function run(copy: string, as: { uid?: number; gid?: number } = {}) {
  const { PATH = '' } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(copy, 'service/bin/slipway.js'), 'help'],
    {
      ...as,
      env: { PATH },
      cwd: '/',
      encoding: 'utf8',
    },
  )
  return { status, stdout, stderr }
}

test('a user that cannot write to an installation without a build gets one line with the command to run', () => {
  const copy = copySources()
  const isRoot = process.getuid?.() === 0
  // Root can write anywhere, so it runs this as another user.
  if (!isRoot) chmodSync(join(copy, 'service'), 0o555)
  const { status, stderr } = run(copy, isRoot ? { uid: 65_534, gid: 65_534 } : {})
  chmodSync(join(copy, 'service'), 0o755)
  expect([status, stderr]).toEqual([
    1,
    `slipway: Slipway is not built, and this user cannot write to ${join(copy, 'service/dist')}. Run "npm run build" once as the user that installed Slipway.\n`,
  ])
})

test('without the packages, the line says to install them', () => {
  expect(run(copySources())).toEqual({
    status: 1,
    stdout: '',
    stderr: 'slipway: The packages are not installed. Run "npm ci" first.\n',
  })
})
