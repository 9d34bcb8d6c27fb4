import { ANY_NETWORK } from '@slipway/schema/network'
import type { Command, CommanderError } from 'commander'
import { printable } from '../lib/terminal.ts'
import { UsageError } from './command-context.ts'
import { pathOf } from './program.ts'

/** Says in one line what is wrong with a command line, what was probably meant, and where the help is. */
export function explainUsage(program: Command, args: readonly string[], error: CommanderError): UsageError {
  const command = findCommand(program, args)
  const path = pathOf(command).join(' ')
  const reason = `${describe(error, command, path)}${suggest(error, command)}`
  const help =
    path === 'serve'
      ? 'serve is configured with environment variables: see docs/configuration.md.'
      : `Run "${['slipway', path, '--help'].filter(Boolean).join(' ')}" for help.`
  return new UsageError(`${printable(reason)} ${help}`)
}

function describe({ code, message }: CommanderError, command: Command, path: string): string {
  const [, quoted = ''] = /'([^']*)'/.exec(message) ?? []
  switch (code) {
    case 'commander.unknownCommand':
      return `Unknown command "${[path, quoted].filter(Boolean).join(' ')}".`
    case 'commander.unknownOption':
      return `Unknown option "${quoted}".`
    case 'commander.missingArgument':
      return `${path} needs <${quoted}>.`
    case 'commander.excessArguments':
      return `${path} takes ${describeCount(command.registeredArguments.length, command.args.length)}.`
    case 'commander.optionMissingArgument':
      return `${quoted} needs a value.`
    case 'commander.invalidArgument':
      return `--network must be ${ANY_NETWORK}.`
    case 'commander.help':
      return `${path} needs a command: ${command.commands.map(each => each.name()).join(', ')}.`
    default:
      return `${message.replace(/^error: /, '')}.`
  }
}

function describeCount(expected: number, given: number): string {
  if (expected === 0) return 'no arguments'
  return `${expected === 1 ? 'one argument' : `${expected} arguments`}, not ${given}`
}

/** Commander adds its suggestions to the message, in a line of their own. */
function suggest({ code, message }: CommanderError, command: Command): string {
  const [, names] = /\(Did you mean (?:one of )?(.+)\?\)/.exec(message) ?? []
  if (names === undefined) return ''
  const prefix = code === 'commander.unknownCommand' ? pathOf(command) : []
  const quoted = names.split(', ').map(name => `"${[...prefix, name].join(' ')}"`)
  return ` Did you mean ${quoted.join(' or ')}?`
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
