import { createInterface } from 'node:readline/promises'
import { type Address, isAddress } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { printable, type TextStream } from '../lib/terminal.ts'
import { OperatorError } from '../operator-error.ts'
import type { Output } from './output.ts'

/** The process that the command line runs in, or what a test puts in its place. */
export interface Host {
  env: Record<string, string | undefined>
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: TextStream
  stderr: TextStream
}

/** Everything that a command works with. */
export interface CommandContext {
  config: Config
  host: Host
  output: Output
  /** The arguments after the command's name. Their number is checked, their content is not. */
  operands: readonly string[]
  /** Options without a value that are set, by their names without dashes. */
  flags: ReadonlySet<string>
  /** Options with a value that are set. */
  values: Readonly<Record<string, string>>
  /** chain-mainnet unless `--network` names another. */
  network: Network
  /** As `network`, but undefined without `--network`. */
  onlyNetwork: Network | undefined
  /** The networks that the command works on, to be named. */
  networks: { network: Network } | { networks: readonly Network[] }
}

/** A command line that cannot be understood. Nothing was done. */
export class UsageError extends OperatorError {
  override name = 'UsageError'
}

export function parseAddress(text: string | undefined, what: string): Address {
  if (text === undefined || !isAddress(text))
    throw new UsageError(`"${printable(text ?? '')}" is not a valid ${what}.`)
  return text
}

/** Asks the person at the terminal. Undefined without a terminal. */
export async function confirm({ stdin, stderr }: Host, question: string): Promise<boolean | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return undefined
  const prompt = createInterface({ input: stdin, output: stderr as NodeJS.WriteStream, terminal: false })
  // Ctrl-C and Ctrl-D are a no, so that the store is closed as after any other answer.
  const cancel = new AbortController()
  const onCancel = () => cancel.abort()
  process.once('SIGINT', onCancel)
  prompt.once('close', onCancel)
  try {
    const answer = await prompt.question(`${question} [y/N] `, { signal: cancel.signal })
    return /^y(es)?$/i.test(answer.trim())
  } catch (error) {
    if (!cancel.signal.aborted) throw error
    stderr.write('\n')
    return false
  } finally {
    process.off('SIGINT', onCancel)
    prompt.close()
  }
}
