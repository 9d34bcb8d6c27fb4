import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { eachInTurns } from '../lib/each-in-turns.ts'
import { createShardedMap, type ShardedMap } from '../lib/sharded-map.ts'
import type { LaunchVersion } from '../store/read-launches.ts'
import type { NetworkListings } from './listing/network-listings.ts'

/**
 * The launches that are not shown as they are stored, with their stored versions. One that is no longer stored has none. Counts
 * those that are stored.
 */
export async function findOutdated(
  shown: ReadonlyMap<Network, NetworkListings>,
  stored: AsyncIterable<LaunchVersion[]>,
): Promise<{ outdated: Map<Network, ShardedMap<Address, number | undefined>>; launches: number }> {
  const outdated = new Map<Network, ShardedMap<Address, number | undefined>>()
  for (const [network, listings] of shown) {
    const versions = createShardedMap<Address, number | undefined>()
    await eachInTurns(listings.addresses(), address => versions.set(address, undefined))
    outdated.set(network, versions)
  }
  let launches = 0
  for await (const batch of stored) {
    launches += batch.length
    for (const { network, genesisAddress, version } of batch) {
      if (shown.get(network)?.launch(genesisAddress)?.version === version)
        outdated.get(network)?.delete(genesisAddress)
      else outdated.get(network)?.set(genesisAddress, version)
    }
  }
  return { outdated, launches }
}
