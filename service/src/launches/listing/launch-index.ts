import type { Address } from '@slipway/schema/address'
import type { ListedLaunch } from './listed-launch.ts'
import type { Change } from './listing-set.ts'

/** The launches of one network by address, by token and by agent. */
interface LaunchIndex {
  find(address: Address): ListedLaunch | undefined
  addresses(): IterableIterator<Address>
  findByToken(mint: Address): ListedLaunch[]
  findByAgent(agent: Address): ListedLaunch[]
  apply(changes: readonly Change[]): void
  readonly size: number
}

export function createLaunchIndex(): LaunchIndex {
  const launches = new Map<Address, ListedLaunch>()
  const byMint = createMultimap()
  const byAgent = createMultimap()

  function remove({ genesisAddress, mint, agent }: ListedLaunch) {
    launches.delete(genesisAddress)
    byMint.remove(mint, genesisAddress)
    if (agent) byAgent.remove(agent, genesisAddress)
  }

  function add(launch: ListedLaunch) {
    launches.set(launch.genesisAddress, launch)
    byMint.add(launch.mint, launch.genesisAddress)
    if (launch.agent) byAgent.add(launch.agent, launch.genesisAddress)
  }

  const launchesAt = (addresses: Iterable<Address>) =>
    [...addresses].map(address => launches.get(address) as ListedLaunch)

  return {
    find: address => launches.get(address),
    addresses: () => launches.keys(),
    findByToken: mint => launchesAt(byMint.get(mint)),
    findByAgent: agent => launchesAt(byAgent.get(agent)),
    apply(changes) {
      for (const { before, after } of changes) {
        if (before) remove(before)
        if (after) add(after)
      }
    },
    get size() {
      return launches.size
    },
  }
}

function createMultimap() {
  const values = new Map<Address, Set<Address>>()
  return {
    get: (key: Address): Iterable<Address> => values.get(key) ?? [],
    add(key: Address, value: Address) {
      const known = values.get(key)
      if (known) known.add(value)
      else values.set(key, new Set([value]))
    },
    remove(key: Address, value: Address) {
      const known = values.get(key)
      known?.delete(value)
      if (known?.size === 0) values.delete(key)
    },
  }
}
