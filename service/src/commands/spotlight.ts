import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import type { Database } from '../store/database.ts'
import { findSpotlight, setSpotlight } from '../store/launches.ts'
import { assertAddress, parseArguments, printable, usageError } from './arguments.ts'
import { auditedChange } from './audited-change.ts'
import { withStore } from './open-store.ts'

/** Curates the spotlight. No HTTP request can do this. */
export async function spotlight(args: string[], config: Config): Promise<void> {
  const { action, addresses, network } = parse(args)
  await withStore(config, async ({ database }) => {
    if (action === 'list') return list(database)
    const unknown: Address[] = []
    for (const address of addresses) {
      const change = { command: `spotlight ${action}`, network, subject: address }
      if (await auditedChange(database, change, tx => setSpotlight(tx, network, address, action === 'add'))) {
        process.stdout.write(
          `${address} is ${action === 'add' ? 'in' : 'not in'} the spotlight of ${network}\n`,
        )
      } else unknown.push(address)
    }
    if (unknown.length > 0)
      throw new OperatorError(`No launch is registered on ${network} at ${unknown.join(', ')}.`)
  })
}

async function list(database: Database): Promise<void> {
  const records = await findSpotlight(database)
  for (const { network, genesisAddress, token } of records) {
    process.stdout.write(
      `${network.padEnd(13)}  ${genesisAddress.padEnd(44)}  ${printable(token.name)} (${printable(token.symbol)})\n`,
    )
  }
  if (records.length === 0) process.stdout.write('The spotlight is empty.\n')
}

function parse(args: string[]): {
  action: 'add' | 'remove' | 'list'
  addresses: Address[]
  network: Network
} {
  const { positionals, network } = parseArguments(args)
  const [action, ...addresses] = positionals
  if (action !== 'add' && action !== 'remove' && action !== 'list')
    throw usageError('spotlight needs one of list, add, remove')
  if (action !== 'list' && addresses.length === 0)
    throw usageError(`spotlight ${action} needs the genesis address of a launch`)
  return { action, addresses: addresses.map(text => assertAddress(text, 'genesis address')), network }
}
