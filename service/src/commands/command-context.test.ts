import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { createOutput } from './command-context.ts'

function collect(isTTY: boolean, isJson: boolean, env: Record<string, string> = {}) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    isTTY,
    write: (text: string | Uint8Array) => {
      written[name] += text
    },
  })
  return { written, ...createOutput({ stdout: stream('stdout'), stderr: stream('stderr'), env }, isJson) }
}

const rows = [
  ['chain-mainnet', 'one'],
  ['chain-devnet', 'two\u001b[2J'],
]

test('a table has a heading in a terminal only, and no cell can control the terminal', () => {
  const plain = collect(false, false)
  plain.table(['NETWORK', 'NAME'], rows)
  expect(plain.written.stdout).toBe('chain-mainnet  one\nchain-devnet   two[2J\n')
  const terminal = collect(true, false)
  terminal.table(['NETWORK', 'NAME'], rows)
  expect(terminal.written.stdout).toBe(`\u001b[1mNETWORK        NAME\u001b[22m\n${plain.written.stdout}`)
  const colorless = collect(true, false, { NO_COLOR: '1' })
  colorless.table(['NETWORK', 'NAME'], rows)
  expect(colorless.written.stdout).toBe(`NETWORK        NAME\n${plain.written.stdout}`)
})

test('with --json, standard output is one object that includes the facts, and standard error stays empty', () => {
  const { written, ...output } = collect(true, true)
  output.facts({ store: 'somewhere', networks: ['a', 'b'] })
  output.line('not printed')
  output.table(['NAME'], [['not printed']])
  output.json({ amount: 4_190_000_000n, at: new Date(0), name: 'evil\u009b2J\u202e\u{e0001}\n' })
  expect(written.stderr).toBe('')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not appear
  expect(written.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u0080-\u009f\p{Cf}]/u)
  expect(JSON.parse(written.stdout)).toEqual({
    store: 'somewhere',
    networks: ['a', 'b'],
    amount: '4190000000',
    at: '1970-01-01T00:00:00.000Z',
    name: 'evil\u009b2J\u202e\u{e0001}\n',
  })
})

test('in a terminal, an empty line separates the facts from the result', () => {
  const { written, ...output } = collect(true, false, { NO_COLOR: '1' })
  output.facts({ store: 'somewhere' })
  output.line('one')
  output.line('two')
  expect(written).toEqual({ stdout: '\none\ntwo\n', stderr: 'store     somewhere\n' })
})

test('without --json, the facts are on standard error', () => {
  const { written, ...output } = collect(false, false)
  output.facts({ store: 'somewhere', networks: ['a', 'b'] })
  output.json({ not: 'printed' })
  expect(written).toEqual({ stdout: '', stderr: 'store     somewhere\nnetworks  a, b\n' })
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
