import { styleText } from 'node:util'
import { ANY_NETWORK, DEFAULT_NETWORK, type Network, NetworkInput } from '@slipway/schema/network'
import { Argument, Command, type CommanderError, InvalidArgumentError, Option } from 'commander'
import { SLIPWAY } from '../lib/find-installed.ts'
import { readVersion } from '../lib/read-version.ts'
import { printable, usesColors } from '../lib/terminal.ts'
import { type Host, UsageError } from './command-context.ts'
import type { CommandDefinition } from './definitions.ts'
import { COMMANDS, GROUPS, SERVICE_COMMANDS } from './definitions.ts'

/** What the command line says. */
export interface Invocation {
  definition: CommandDefinition
  operands: readonly string[]
  flags: ReadonlySet<string>
  values: Readonly<Record<string, string>>
  onlyNetwork: Network | undefined
}

/** The parser, with its help. Throws commander's own errors. */
export function createProgram(host: Host, run: (invocation: Invocation) => Promise<void>): Command {
  const program = new Command('slipway')
    .usage('<command>')
    .description('A self-hosted service for on-chain agents, token launches and creator rewards.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: text => void host.stdout.write(text),
      // Errors are printed as one line where they are caught.
      writeErr: () => {},
      getOutHasColors: () => usesColors(host.stdout, host.env),
      getOutHelpWidth: () => host.stdout.columns ?? HELP_WIDTH,
    })
    .configureHelp(HELP_STYLE)
    .addHelpText('after', ROOT_NOTES)
  for (const definition of COMMANDS) {
    const words = definition.name.split(' ')
    if (words.length < 3)
      program.commandsGroup(SERVICE_COMMANDS.includes(definition) ? 'Service:' : 'Curation:')
    const parent = words.slice(0, -1).reduce(findOrAddGroup, program)
    addCommand(parent, words.at(-1) as string, definition, run)
  }
  return program
}

const HELP_WIDTH = 100

// Commander removes the colours if the output has none.
const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false })
const bold = style('bold')

const HELP_STYLE = {
  styleTitle: bold,
  styleCommandText: style('cyan'),
  styleSubcommandText: style('cyan'),
  styleOptionText: style('yellow'),
  styleArgumentText: style('yellow'),
  // Without the arguments, which the help of the command itself explains.
  subcommandTerm: (command: Command) => command.name(),
}

const ROOT_NOTES = `
${bold('Examples:')}
  ${SLIPWAY} spotlight list
  ${SLIPWAY} agent hide --help

Slipway is configured with environment variables (docs/configuration.md). Without a command, it runs serve.
All commands are described in docs/command-line.md.`

function findOrAddGroup(parent: Command, name: string): Command {
  const known = parent.commands.find(command => command.name() === name)
  if (known) return known
  const path = [...pathOf(parent), name].join(' ')
  const example = COMMANDS.find(definition => definition.name.startsWith(`${path} `)) as CommandDefinition
  return parent
    .command(name)
    .usage('<command>')
    .description(GROUPS[path] as string)
    .helpCommand(false)
    .addHelpText(
      'after',
      `\n${bold('Example:')}\n  ${exampleOf(example)}\n\nRun "slipway ${path} <command> --help" for the details of a command.`,
    )
}

function addCommand(
  parent: Command,
  name: string,
  definition: CommandDefinition,
  run: (invocation: Invocation) => Promise<void>,
): void {
  const { alias, summary, operands = {}, flags = {}, values = {}, network, isChange, json } = definition
  const command = parent.command(name).description(summary)
  if (alias) command.alias(alias)
  for (const [operand, text] of Object.entries(operands)) command.addArgument(new Argument(operand, text))
  for (const [option, text] of Object.entries({ ...flags, ...values })) command.option(`--${option}`, text)
  if (network === 'one' || network === 'filter') {
    const text = `${ANY_NETWORK} (default: ${network === 'one' ? DEFAULT_NETWORK : 'all'})`
    command.addOption(new Option('--network <network>', text).argParser(parseNetwork))
  }
  if (isChange) command.option('--embedded', 'change the embedded store in DATA_DIR without asking')
  if (json) command.option('--json', 'print the result as JSON')
  command.addHelpText('after', describeMore(definition))
  command.action(() => {
    const { network: onlyNetwork, ...given } = command.opts<{ network?: Network } & Record<string, unknown>>()
    const set = command.options.filter(option => given[option.attributeName()] === true)
    const texts = Object.entries(given).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    return run({
      definition,
      operands: command.args,
      flags: new Set(set.map(option => option.name())),
      values: Object.fromEntries(texts),
      onlyNetwork,
    })
  })
}

const describeMore = (definition: CommandDefinition): string =>
  [
    ['Effect:', definition.effect],
    ...(definition.json ? [['JSON:', `{ ${definition.json.join(', ')} }`]] : []),
    ['Example:', exampleOf(definition)],
  ]
    .map(([title = '', text]) => `\n${bold(title)}\n  ${text}`)
    .join('\n')

export const exampleOf = ({ name, example }: CommandDefinition) => `${SLIPWAY} ${name} ${example}`.trim()

function parseNetwork(text: string): Network {
  const parsed = NetworkInput.safeParse(text)
  if (!parsed.success) throw new InvalidArgumentError(`It must be ${ANY_NETWORK}.`)
  return parsed.data
}

/** The words after `slipway`. */
export const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : []

/** Says in one line what is wrong with a command line, what was probably meant, and where the help is. */
export function explainUsage(program: Command, args: readonly string[], error: CommanderError): UsageError {
  const command = findCommand(program, args)
  const path = pathOf(command).join(' ')
  const help =
    path === 'serve'
      ? 'serve is configured with environment variables: see docs/configuration.md.'
      : `Run "${['slipway', path, '--help'].filter(Boolean).join(' ')}" for help.`
  return new UsageError(`${printable(describe(error, command, path))}. ${help}`)
}

/** Commander's own words, with its suggestions. */
function describe({ code, message }: CommanderError, command: Command, path: string): string {
  if (code === 'commander.help')
    return `${path} needs a command: ${command.commands.map(each => each.name()).join(', ')}`
  return message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replace(/[.]$/, '')
}

/** The command that the arguments lead to. */
function findCommand(program: Command, args: readonly string[]): Command {
  let command = program
  for (const word of args) {
    const next = command.commands.find(each => each.name() === word || each.aliases().includes(word))
    if (!next) break
    command = next
  }
  return command
}
