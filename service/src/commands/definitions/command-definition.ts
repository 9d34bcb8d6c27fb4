import type { CommandContext } from '../command-context.ts'

/** One command of the command line. `docs/command-line.md` lists the same ones. */
export interface CommandDefinition {
  /** The words after `slipway`. */
  name: string
  /** Another last word that works too, as in earlier versions. */
  alias?: string
  summary: string
  /** What it changes, as a sentence. */
  effect: string
  /** The name of each argument, as in `<address...>`, and what it is. */
  operands?: Readonly<Record<string, string>>
  /** The name of each option without a value, and what it does. */
  flags?: Readonly<Record<string, string>>
  /** The same for options with a value, as in `url <url>`. */
  values?: Readonly<Record<string, string>>
  /** What `--network` selects. With `both`, the command has no such option and works on both networks. */
  network: 'one' | 'filter' | 'both' | 'none'
  /** Whether the command changes the store, so that the operator must mean the store that it finds. */
  isChange: boolean
  /** What follows the name in the example. */
  example: string
  /** The fields of the object that `--json` prints, if there is such an option. */
  json?: readonly string[]
  /** Returns the exit code if it is not 0. */
  run(context: CommandContext): Promise<number> | Promise<void>
}

export const CHANGE = { network: 'one', isChange: true } as const
export const READ = { network: 'one', isChange: false } as const
/** Reads both networks, or the one that `--network` names. */
export const READ_BOTH = { network: 'filter', isChange: false } as const

/** The JSON of a command that changes something at each address. */
export const CHANGED = ['store', 'network', 'addresses', 'unchanged', 'unknown'] as const
