import { parseArgs } from 'node:util'
import { type Address, isAddress } from '@slipway/schema/address'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'

export interface Arguments {
  positionals: string[]
  network: Network
  flags: ReadonlySet<string>
}

/** What a command was given. Flags are those that it knows, all of them without a value. */
export function readArguments(args: string[], flags: readonly string[] = []): Arguments {
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
    throw new OperatorError((error as Error).message.split('. ', 1)[0] ?? 'bad arguments')
  }
}

export function assertAddress(text: string | undefined, what: string): Address {
  if (text === undefined) throw new OperatorError(`${what} is missing`)
  if (!isAddress(text)) throw new OperatorError(`"${printable(text)}" is not an address`)
  return text
}

/** Much of what commands print comes from strangers: nothing in it may move the cursor of a terminal. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '')
