import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { COMMANDS } from './definitions/commands.ts'

const NO_STORE = { DATA_DIR: '/nowhere' }
const hasShell = (name: string) => spawnSync(name, ['-c', 'true']).status === 0

/** Prints what a shell offers for the last of its arguments. In zsh, the functions of its completion system are stand-ins. */
const OFFER: Record<string, string> = {
  bash: `
    source ./script
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    $(complete -p slipway | sed 's/.*-F \\([^ ]*\\).*/\\1/')
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `
    compdef() {}
    compadd() { shift; print -rl -- \${(M)@:#\${words[CURRENT]}*} }
    _files() { print -rl -- \${words[CURRENT]}*(N) }
    source ./script
    words=("$@") CURRENT=$#
    _slipway
    true`,
  fish: `
    source ./script
    complete -C (string join -- ' ' $argv[2..]) | string split -f 1 \\t
    true`,
}

async function useShell(shell: string) {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-completion-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { stdout } = await runCommand(['completion', shell], NO_STORE)
  writeFileSync(join(folder, 'script'), stdout)
  return (...words: string[]): string[] => {
    const { status, stdout, stderr } = spawnSync(shell, ['-c', OFFER[shell] as string, shell, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    })
    expect([status, stderr]).toEqual([0, ''])
    return stdout.split('\n').filter(Boolean).toSorted()
  }
}

for (const shell of Object.keys(OFFER))
  test.skipIf(!hasShell(shell))(`${shell} completes commands, options, networks and files`, async () => {
    const complete = await useShell(shell)
    expect(complete('slipway', 'spot')).toEqual(['spotlight'])
    expect(complete('slipway', 'agent', 'hide', 'SomeAddress', '--e')).toEqual(['--embedded'])
    expect(complete('slipway', 'agent', 'hide', '--network', 'chain-d')).toEqual(['chain-devnet'])
    expect(complete('slipway', '--version', 'index-chain', '--from')).toEqual(['--from-scratch'])
    expect(complete('slipway', 'restore', 'scr')).toEqual(['script'])
    expect(complete('slipway', 'audit', 'scr')).toEqual([])
    const withoutOptions = (words: string[]) => words.filter(word => !word.startsWith('--'))
    expect(withoutOptions(complete('slipway', 'agent', 'spotlight', ''))).toEqual(['add', 'list', 'remove'])
    const firstWords = new Set(COMMANDS.map(({ name }) => name.split(' ')[0] as string))
    expect(withoutOptions(complete('slipway', ''))).toEqual([...firstWords].toSorted())
  })

test.each(['bash', 'zsh', 'fish'])('the script for %s names every command', async shell => {
  const { code, stdout } = await runCommand(['completion', shell], NO_STORE)
  expect(code).toBe(0)
  for (const { name } of COMMANDS)
    expect(stdout).toContain(`'${name}'`.replaceAll("'", shell === 'fish' ? '' : "'"))
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
