import type { Address } from '@slipway/schema/address'
import { createShardedMap } from '../../lib/sharded-map.ts'
import type { ListedLaunch } from './listed-launch.ts'
import type { Change } from './listing-set.ts'

/** The launches of one network by address, by token and by agent. */
interface LaunchIndex {
  find(address: Address): ListedLaunch | undefined
  addresses(): Iterable<Address>
  findByToken(mint: Address): ListedLaunch[]
  findByAgent(agent: Address): ListedLaunch[]
  apply(change: Change): void
  readonly size: number
}

export function createLaunchIndex(): LaunchIndex {
  const launches = createShardedMap<Address, ListedLaunch>()
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
    apply({ before, after }) {
      if (before) remove(before)
      if (after) add(after)
    },
    get size() {
      return launches.size
    },
  }
}

/** Most keys have one value, which needs no set of its own. */
function createMultimap() {
  const values = createShardedMap<Address, Address | Set<Address>>()
  return {
    get(key: Address): Iterable<Address> {
      const known = values.get(key)
      if (known === undefined) return []
      return typeof known === 'string' ? [known] : known
    },
    add(key: Address, value: Address) {
      const known = values.get(key)
      if (known === undefined) values.set(key, value)
      else if (typeof known === 'string') values.set(key, new Set([known, value]))
      else known.add(value)
    },
    remove(key: Address, value: Address) {
      const known = values.get(key)
      if (typeof known === 'object') known.delete(value)
      if (known === value || (typeof known === 'object' && known.size === 0)) values.delete(key)
    },
  }
}
