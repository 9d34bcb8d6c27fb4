import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import type { Database } from '../store/database.ts'
import { findSpotlight, setSpotlight } from '../store/launches.ts'
import { assertAddress, printable, readArguments } from './arguments.ts'
import { withStore } from './with-store.ts'

/** The spotlight is curated here and nowhere else: no request can set it. */
export async function spotlight(args: string[], config: Config): Promise<void> {
  const { action, addresses, network } = parse(args)
  await withStore(config, async database => {
    if (action === 'list') return list(database)
    const unknown: Address[] = []
    for (const address of addresses) {
      if (await setSpotlight(database, network, address, action === 'add')) {
        process.stdout.write(
          `${address} is ${action === 'add' ? 'in' : 'not in'} the spotlight of ${network}\n`,
        )
      } else unknown.push(address)
    }
    if (unknown.length > 0)
      throw new OperatorError(`no launch is registered on ${network} at ${unknown.join(', ')}`)
  })
}

async function list(database: Database): Promise<void> {
  const records = await findSpotlight(database)
  for (const { network, genesisAddress, token } of records) {
    process.stdout.write(
      `${network}  ${genesisAddress.padEnd(44)}  ${printable(token.name)} (${printable(token.symbol)})\n`,
    )
  }
  if (records.length === 0) process.stdout.write('The spotlight is empty.\n')
}

function parse(args: string[]): {
  action: 'add' | 'remove' | 'list'
  addresses: Address[]
  network: Network
} {
  const { positionals, network } = readArguments(args)
  const [action, ...addresses] = positionals
  if (action !== 'add' && action !== 'remove' && action !== 'list')
    throw new OperatorError('spotlight needs one of add, remove, list; try: slipway help')
  if (action !== 'list' && addresses.length === 0)
    throw new OperatorError(`spotlight ${action} needs the genesis address of a launch`)
  return { action, addresses: addresses.map(text => assertAddress(text, 'the genesis address')), network }
}
