import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { COMMANDS } from './definitions/commands.ts'

const NO_STORE = { DATA_DIR: '/nowhere' }
const hasShell = (name: string) => spawnSync(name, ['-c', 'true']).status === 0

async function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-completion-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { stdout } = await runCommand(['completion', 'bash'], NO_STORE)
  writeFileSync(join(folder, 'script'), stdout)
  return folder
}

/** What bash offers for the last of these words. */
function complete(folder: string, ...words: string[]): string[] {
  const script = `
    source ./script
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    $(complete -p slipway | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').filter(Boolean)
}

test.skipIf(!hasShell('bash'))('bash completes commands, options, networks and files', async () => {
  const folder = await makeFolder()
  expect(complete(folder, 'slipway', 'spot')).toEqual(['spotlight'])
  expect(complete(folder, 'slipway', 'agent', 'spotlight', '')).toEqual(['list', 'add', 'remove', '--help'])
  expect(complete(folder, 'slipway', 'agent', 'hide', 'SomeAddress', '--e')).toEqual(['--embedded'])
  expect(complete(folder, 'slipway', 'agent', 'hide', '--network', 'chain-d')).toEqual(['chain-devnet'])
  expect(complete(folder, 'slipway', '--version', 'index-chain', '--from')).toEqual(['--from-scratch'])
  expect(complete(folder, 'slipway', 'restore', 'scr')).toEqual(['script'])
  expect(complete(folder, 'slipway', 'audit', 'scr')).toEqual([])
  const firstWords = new Set(COMMANDS.map(({ name }) => name.split(' ')[0] as string))
  expect(complete(folder, 'slipway', '')).toEqual([...firstWords, '--version', '--help'])
})

test.each(['bash', 'zsh', 'fish'])('the script for %s names every command and is valid', async shell => {
  const { code, stdout } = await runCommand(['completion', shell], NO_STORE)
  expect(code).toBe(0)
  for (const { name } of COMMANDS)
    expect(stdout).toContain(`'${name}'`.replaceAll("'", shell === 'fish' ? '' : "'"))
  if (!hasShell(shell)) return
  const { status, stderr } = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})

test('another shell is refused', async () => {
  expect(await runCommand(['completion', 'tcsh'], NO_STORE)).toEqual({
    code: 2,
    stdout: '',
    stderr: 'slipway: completion needs one of bash, zsh, fish.\n',
  })
})

test('version prints the version, the commit of the checkout and Node, whatever the environment', async () => {
  const { code, stdout } = await runCommand(['version', '--json'], { PORT: 'abc' })
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), commit: readCommit(), node: process.version },
  ])
})

function readCommit(): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
