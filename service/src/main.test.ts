import { readFileSync } from 'node:fs'
import { ANY_NETWORK } from '@slipway/schema/network'
import { expect, test } from 'vitest'
import { COMMANDS, GROUPS } from './commands/definitions.ts'
import { createProgram, exampleOf, type Invocation } from './commands/program.ts'
import { runCommand } from './testing/run-command.ts'

const ADDRESS = '11111111111111111111111111111112'
const docs = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8')
/** No command line of these tests may reach a store. */
const NO_STORE = { DATA_DIR: '/nowhere' }

test.each([
  [['xyzzy'], `unknown command 'xyzzy'. Run "slipway --help" for help.`],
  [['agnet'], `unknown command 'agnet' (Did you mean agent?). Run "slipway --help" for help.`],
  [
    ['agent', 'hid', ADDRESS],
    `unknown command 'hid' (Did you mean hide?). Run "slipway agent --help" for help.`,
  ],
  [
    ['spotlight', 'list', '--netwrok', 'chain-devnet'],
    `unknown option '--netwrok' (Did you mean --network?). Run "slipway spotlight list --help" for help.`,
  ],
  [
    ['serve', '--port', '1'],
    `unknown option '--port'. serve is configured with environment variables: see docs/configuration.md.`,
  ],
  [
    ['agent'],
    'agent needs a command: list, hide, unhide, spotlight, inspect. Run "slipway agent --help" for help.',
  ],
  [['agent', 'hide'], `missing required argument 'address'. Run "slipway agent hide --help" for help.`],
  [
    ['launch', 'refresh', ADDRESS, ADDRESS],
    `too many arguments for 'refresh'. Expected 1 argument but got 2. Run "slipway launch refresh --help" for help.`,
  ],
  [
    ['spotlight', 'list', '--network', 'moon'],
    `option '--network <network>' argument 'moon' is invalid. It must be ${ANY_NETWORK}. Run "slipway spotlight list --help" for help.`,
  ],
  [['spotlight', 'add', 'x\u001b[2J'], '"x[2J" is not a valid genesis address.'],
  [['xyzzy\u001b[2J'], `unknown command 'xyzzy[2J'. Run "slipway --help" for help.`],
  [['cluster', 'accept', ADDRESS, 'nonsense'], '"nonsense" is not a valid new genesis hash.'],
  [['cluster', 'accept', ADDRESS, ADDRESS], 'Both hashes are the same, so there is nothing to accept.'],
  [
    ['document', 'remove', 'junk'],
    'document remove needs the SHA-256 of a document in hexadecimal, or its URL.',
  ],
])('slipway %j exits with 2 and one line', async (args, line) => {
  expect(await runCommand(args, NO_STORE)).toEqual({ code: 2, stdout: '', stderr: `slipway: ${line}\n` })
})

test('with --json, a command line that is wrong is reported as one line of JSON', async () => {
  const { code, stdout, stderr } = await runCommand(['spotlight', 'add', 'x\u009b', '--json'], NO_STORE)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toBe('{"error":{"code":"USAGE","message":"\\"x\\" is not a valid genesis address."}}\n')
  expect(JSON.parse((await runCommand(['audit', 'all', '--json'], NO_STORE)).stderr)).toEqual({
    error: {
      code: 'USAGE',
      message: `too many arguments for 'audit'. Expected 0 arguments but got 1. Run "slipway audit --help" for help.`,
    },
  })
})

test('the earlier name of unhide works too', async () => {
  const { stdout } = await runCommand(['agent', 'show', '--help'], NO_STORE)
  expect(stdout).toContain('npx slipway agent unhide')
  expect(await runCommand(['launch', 'show'], NO_STORE)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("missing required argument 'genesis-address'."),
  })
})

test.each([['--help'], ['-h'], ['help']])('slipway %s lists the commands', async arg => {
  const { code, stdout, stderr } = await runCommand([arg], NO_STORE)
  expect([code, stderr]).toEqual([0, ''])
  for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name.split(' ')[0]} `, 'm'))
})

test('slipway --version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(await runCommand(['--version'], {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test.each(Object.keys(GROUPS))('the help of %s lists its commands and has an example', async name => {
  const { code, stdout } = await runCommand([...name.split(' '), '--help'], NO_STORE)
  expect(code).toBe(0)
  expect(stdout).toContain(GROUPS[name])
  for (const command of COMMANDS.filter(each => each.name.startsWith(`${name} `)))
    expect(stdout).toMatch(new RegExp(`^  ${command.name.slice(name.length + 1).split(' ')[0]} `, 'm'))
  expect(stdout).toMatch(/^Example:\n {2}npx slipway /m)
})

test.each(COMMANDS.map(each => [each.name, each] as const))(
  'the help of %s describes it, its effect and its options; its example is valid; the documentation has it',
  async (name, definition) => {
    const { summary, effect, operands = {}, network, isChange, json } = definition
    const flags = { ...definition.flags, ...definition.values }
    const { code, stdout, stderr } = await runCommand([...name.split(' '), '--help'], NO_STORE)
    expect([code, stderr]).toEqual([0, ''])
    const words = stdout.replaceAll(/\s+/g, ' ')
    for (const text of [summary, effect, exampleOf(definition)]) {
      expect(text.length).toBeGreaterThan(10)
      expect(words).toContain(text)
    }
    for (const text of [...Object.values(operands), ...Object.values(flags)]) expect(words).toContain(text)
    expect(stdout.includes('--network')).toBe(network === 'one' || network === 'filter')
    expect(stdout.includes('--embedded')).toBe(isChange)
    expect(stdout.includes('--json')).toBe(json !== undefined)

    const parsed: Invocation[] = []
    const host = { env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr }
    const program = createProgram(host, async invocation => void parsed.push(invocation))
    const example = exampleOf(definition).replace('npx slipway ', '')
    await program.parseAsync(example.split(' '), { from: 'user' })
    expect(parsed).toMatchObject([{ definition: { name } }])

    const [row] = docs.split('\n').filter(line => line.startsWith(`| \`${name}`)) as [string]
    for (const option of [...Object.keys(operands), ...Object.keys(flags).map(flag => `--${flag}`)])
      expect(row).toContain(option.replace('...', '…'))
    if (json) expect(row).toContain(json.map(field => `\`${field}\``).join(', '))
  },
)

test('in a terminal, help and errors have colours, unless NO_COLOR is set', async () => {
  const colored = '\u001b['
  const inTerminal = (args: string[], env = {}) =>
    runCommand(args, { ...NO_STORE, ...env }, { isTerminal: true })
  expect((await inTerminal(['--help'])).stdout).toContain(colored)
  expect((await inTerminal(['agent', 'hide', '--help'])).stdout).toContain(colored)
  expect((await inTerminal(['xyzzy'])).stderr).toContain(colored)
  expect((await inTerminal(['agent', 'hide', '--help'], { NO_COLOR: '1' })).stdout).not.toContain(colored)
  expect((await runCommand(['--help'], { FORCE_COLOR: '1' })).stdout).toContain(colored)
})

test('a service that cannot start says why in its JSON log, and in a terminal as plain text', async () => {
  const env = { PORT: 'abc' }
  const piped = await runCommand(['serve'], env)
  expect(piped).toMatchObject({ code: 1, stderr: '' })
  const { level, msg } = JSON.parse(piped.stdout)
  expect([level, msg]).toEqual(['fatal', expect.stringContaining('PORT must be a port number')])
  expect(await runCommand(['serve'], { ...env, NO_COLOR: '1' }, { isTerminal: true })).toEqual({
    code: 1,
    stdout: '',
    stderr: `slipway: ${msg}\n`,
  })
})
