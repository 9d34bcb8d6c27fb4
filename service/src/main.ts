import { DEFAULT_NETWORK, NETWORKS } from '@slipway/schema/network'
import { CommanderError } from 'commander'
import {
  type CommandContext,
  createOutput,
  type Failure,
  type Host,
  UsageError,
} from './commands/command-context.ts'
import { createProgram, explainUsage, type Invocation } from './commands/program.ts'
import { type Config, parseConfig } from './config.ts'
import { messageOf, stackOf } from './lib/without-values.ts'
import { OperatorError } from './operator-error.ts'
import { describeStoreFault, isStoreFault } from './store/errors.ts'

/** 0: done. 1: failed. 2: the command line is wrong, and nothing was done. A command may return others. */
const EXIT_FAILED = 1
const EXIT_USAGE = 2

export async function main(args: string[]): Promise<void> {
  // The reader of a pipe may stop early, as `head` does.
  process.stdout.on('error', error => {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  })
  const { stdin, stdout, stderr } = process
  process.exitCode = await runCommandLine(args, { env: process.env, stdin, stdout, stderr })
}

/** Runs the command line and returns the exit code. */
export async function runCommandLine(args: string[], host: Host): Promise<number> {
  let exitCode = 0
  let isService = false
  // Also for a command line that can't be parsed.
  const output = createOutput(host, args.includes('--json'))
  const program = createProgram(host, async invocation => {
    isService = invocation.definition.name === 'serve'
    exitCode = (await invocation.definition.run(createContext(invocation, { host, output }))) ?? 0
  })
  try {
    await program.parseAsync(withDefaults(args), { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const problem = error instanceof CommanderError ? explainUsage(program, args, error) : error
    const failure = describe(problem)
    if (isService && !host.stdout.isTTY) host.stdout.write(formatFatalLine(failure))
    // A person at a terminal sees the reason there, even if the log goes to a file.
    if (!isService || host.stdout.isTTY || host.stderr.isTTY) output.fail(failure)
    return problem instanceof UsageError ? EXIT_USAGE : EXIT_FAILED
  }
}

/** `slipway help agent` is `slipway agent --help`. */
function withDefaults(args: string[]): string[] {
  if (args.length === 0) return ['serve']
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args
}

function createContext(
  { definition, operands, flags, values, onlyNetwork }: Invocation,
  { host, output }: Pick<CommandContext, 'host' | 'output'>,
): CommandContext {
  const network = onlyNetwork ?? DEFAULT_NETWORK
  let config: Config | undefined
  return {
    // Some commands also work with an invalid configuration.
    get config() {
      config ??= parseConfig(host.env)
      return config
    },
    host,
    output,
    operands,
    flags,
    values,
    network,
    onlyNetwork,
    networks:
      definition.network === 'one'
        ? { network }
        : { networks: onlyNetwork === undefined ? NETWORKS : [onlyNetwork] },
  }
}

/** The log of the service is JSON, except in a terminal, and so is the line that says why it could not start. */
function formatFatalLine({ message, stack }: Failure): string {
  const err = stack === undefined ? {} : { err: { message, stack } }
  return `${JSON.stringify({ level: 'fatal', time: new Date().toISOString(), ...err, msg: message })}\n`
}

/** A problem that the operator can fix is reported in one line; a bug is shown with its stack trace. */
function describe(error: unknown): Failure {
  if (error instanceof UsageError) return { code: 'USAGE', message: error.message }
  if (error instanceof OperatorError) return { code: 'FAILED', message: error.message }
  if (isTooManyFiles(error)) return { code: 'FAILED', message: TOO_MANY_FILES }
  if (isStoreFault(error)) return { code: 'FAILED', message: describeStoreFault(error) }
  const problem = error instanceof Error ? error : new Error(`${error}`)
  return { code: 'INTERNAL', message: messageOf(problem), stack: stackOf(problem) }
}

const TOO_MANY_FILES =
  'Too many files are open. Raise the limit: "ulimit -n 65536" in a shell, or "LimitNOFILE=65536" in a systemd unit.'

function isTooManyFiles(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && at.code === 'EMFILE') return true
  return false
}
