import { setSpotlight } from '../store/launches.ts'
import { findSpotlight } from '../store/read-launches.ts'
import { changeEach } from './change-each.ts'
import type { CommandContext } from './command-context.ts'
import { withStore } from './open-store.ts'

/** Adds launches to the spotlight, or removes them. No HTTP request can do this. */
export const spotlightLaunches = (context: CommandContext, isAdded: boolean): Promise<void> =>
  changeEach(context, {
    command: `spotlight ${isAdded ? 'add' : 'remove'}`,
    operand: 'genesis address',
    change: (tx, network, address) => setSpotlight(tx, network, address, isAdded),
    done: `is ${isAdded ? 'in' : 'not in'} the spotlight of ${context.network}`,
    missing: 'launch is registered',
  })

export async function listSpotlight(context: CommandContext): Promise<void> {
  const { output, onlyNetwork } = context
  await withStore(context, 'read', async ({ database }) => {
    const launches = (await findSpotlight(database))
      .filter(({ network }) => onlyNetwork === undefined || network === onlyNetwork)
      .map(({ network, genesisAddress, token: { name, symbol } }) => ({
        network,
        genesisAddress,
        name,
        symbol,
      }))
    output.json({ launches })
    if (launches.length === 0) return output.line('The spotlight is empty.')
    output.table(
      ['NETWORK', 'GENESIS ADDRESS', 'TOKEN'],
      launches.map(({ network, genesisAddress, name, symbol }) => [
        network,
        genesisAddress,
        `${name} (${symbol})`,
      ]),
    )
  })
}
