import { createInterface } from 'node:readline/promises'
import { type Address, isAddress } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { createStyle, printable, type Style, type TextStream } from '../lib/terminal.ts'
import { OperatorError } from '../operator-error.ts'

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

/** What a command prints: its result on standard output, as text or as one JSON object, and the rest on standard error. */
export interface Output {
  readonly isJson: boolean
  /** For text on standard output. */
  readonly style: Style
  /** Prints a line of the result. With `--json`, prints nothing. */
  line(text: string): void
  /** Prints rows in columns, with a heading if it is a terminal. With `--json`, prints nothing. */
  table(heading: readonly string[], rows: readonly (readonly string[])[]): void
  /** Prints the result as JSON, together with the facts. Without `--json`, prints nothing. */
  json(result: object): void
  /** States facts about the command, such as the store that it works on, on standard error or as part of the JSON. */
  facts(facts: Readonly<Record<string, string | readonly string[]>>): void
  /** Reports why the command failed, on standard error: in red, or as one line of JSON together with the facts. */
  fail(failure: Failure): void
}

export interface Failure {
  /** `USAGE`: the command line is wrong. `FAILED`: the command could not do its work. `INTERNAL`: a fault in Slipway. */
  code: 'USAGE' | 'FAILED' | 'INTERNAL'
  message: string
  stack?: string | undefined
}

export function createOutput(
  {
    stdout,
    stderr,
    env,
  }: { stdout: TextStream; stderr: TextStream; env: Record<string, string | undefined> },
  isJson: boolean,
): Output {
  const style = createStyle(stdout, env)
  const noteStyle = createStyle(stderr, env)
  const known: Record<string, string | readonly string[]> = {}
  let needsGap = false
  const line = (text: string) => {
    if (isJson) return
    stdout.write(`${needsGap ? '\n' : ''}${text}\n`)
    needsGap = false
  }

  return {
    isJson,
    style,
    line,
    table(heading, rows) {
      const cells = rows.map(row => row.map(printable))
      const widths = heading.map((title, at) =>
        Math.max(stdout.isTTY ? title.length : 0, ...cells.map(row => row[at]?.length ?? 0)),
      )
      const align = (row: readonly string[]) =>
        row.map((cell, at) => (at < row.length - 1 ? cell.padEnd(widths[at] ?? 0) : cell)).join('  ')
      if (stdout.isTTY) line(style('bold', align(heading)))
      for (const row of cells) line(align(row))
    },
    json(result) {
      if (isJson) stdout.write(`${escapeControls(JSON.stringify({ ...known, ...result }, toJson, 2))}\n`)
    },
    facts(facts) {
      Object.assign(known, facts)
      if (isJson) return
      // In a terminal, an empty line separates the facts from the result.
      needsGap = stdout.isTTY === true && stderr.isTTY === true
      for (const [name, value] of Object.entries(facts))
        stderr.write(`${noteStyle('dim', name.padEnd(9))} ${printable([value].flat().join(', '))}\n`)
    },
    fail(error) {
      stderr.write(
        isJson
          ? `${escapeControls(JSON.stringify({ error, ...known }))}\n`
          : `${noteStyle('red', 'slipway:')} ${error.stack ?? error.message}\n`,
      )
    },
  }
}

const toJson = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

/** JSON may hold characters that control a terminal, such as U+009B. */
const escapeControls = (json: string) =>
  json.replace(/[\p{Cc}\p{Cf}]/gu, found =>
    found === '\n'
      ? found
      : Array.from({ length: found.length }, (_, at) => found.charCodeAt(at))
          .map(unit => `\\u${unit.toString(16).padStart(4, '0')}`)
          .join(''),
  )
