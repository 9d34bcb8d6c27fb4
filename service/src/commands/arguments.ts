import { parseArgs } from 'node:util'
import { type Address, isAddress } from '@slipway/schema/address'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'

interface Arguments {
  positionals: string[]
  network: Network
  flags: ReadonlySet<string>
}

/** Parses a command's arguments. `flags` are the options that the command accepts besides `--network`; none takes a value. */
export function parseArguments(args: string[], flags: readonly string[] = []): Arguments {
  const options = Object.fromEntries(flags.map(flag => [flag, { type: 'boolean' as const }]))
  const { positionals, values } = parse(args, options)
  const network = NetworkInput.safeParse(values.network)
  if (!network.success) throw new OperatorError('--network must be chain-mainnet or chain-devnet')
  return {
    positionals,
    network: network.data,
    flags: new Set(flags.filter(flag => (values as Record<string, unknown>)[flag] === true)),
  }
}

function parse(args: string[], options: Record<string, { type: 'boolean' }>) {
  try {
    return parseArgs({ args, options: { network: { type: 'string' }, ...options }, allowPositionals: true })
  } catch (error) {
    // Node's message continues with advice that is wrong here.
    const [reason = 'Invalid arguments'] = (error as Error).message.split(/\. |\.?\n/, 1)
    throw usageError(reason)
  }
}

/** For a command line that cannot be understood. */
export const usageError = (reason: string) =>
  new OperatorError(`${reason}. Run "slipway help" to see the commands.`)

export function assertAddress(text: string | undefined, what: string): Address {
  if (text === undefined) throw usageError(`The ${what} is missing`)
  if (!isAddress(text)) throw new OperatorError(`"${printable(text)}" is not a valid ${what}.`)
  return text
}

/** Removes control characters: names and documents are untrusted and must not control the terminal. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '')
