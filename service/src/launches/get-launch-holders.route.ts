import { ServiceError } from '@slipway/schema/errors'
import { LaunchHolders } from '@slipway/schema/market'
import { NETWORKS, type Network, NetworkInput } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { z } from 'zod'
import type { HeavyReads } from '../chain/heavy-reads.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { EXAMPLE_HOLDERS } from './examples.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { createHolders, type Holders } from './market/holders.ts'
import type { Markets } from './trading/markets.ts'

export function getLaunchHoldersEndpoint({
  chains,
  snapshots,
  markets,
}: {
  chains: Partial<Record<Network, { rpc: ChainRpc; heavyReads: HeavyReads }>>
  snapshots: LaunchSnapshots
  markets: Partial<Record<Network, Markets>>
}): Endpoint {
  const holders: Partial<Record<Network, Holders>> = {}
  for (const network of NETWORKS) {
    const [chain, market] = [chains[network], markets[network]]
    if (chain && market)
      holders[network] = createHolders({
        rpc: chain.rpc,
        heavyReads: chain.heavyReads,
        market,
        environment: NETWORK_TABLE[network].cluster,
      })
  }
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches/{genesisAddress}/holders',
    id: 'getLaunchHolders',
    clientCall: 'launches.holders',
    tag: 'Launches',
    summary: 'List the largest holders',
    description: `The 20 largest accounts of a launch's token, as the chain has them.

- They are read at most once in ten seconds, and these requests have a [limit of their own](#tag/rate-limits).
- An owner with several accounts is listed once for each.`,
    params: LaunchParams,
    query: z.object({ network: NetworkInput }),
    faults: { network: 'INVALID_NETWORK', genesisAddress: 'LAUNCH_NOT_FOUND' },
    success: {
      description: 'The largest accounts, and the supply that they are a part of.',
      schema: z.object({ data: LaunchHolders }),
      example: { data: EXAMPLE_HOLDERS },
      conditional: true,
    },
    errors: ['LAUNCH_NOT_FOUND', 'HOLDERS_UNAVAILABLE'],
    async answer({ params: { genesisAddress: genesis }, query: { network }, client }) {
      const launch = snapshots.of(network).launch(genesis)
      const known = holders[network]
      if (!known || !launch) throw new ServiceError('LAUNCH_NOT_FOUND')
      const data = await known.read({ genesis, mint: launch.mint, agent: launch.agent }, client)
      return { kind: 'json', value: { data }, cacheControl: 'public, max-age=5' }
    },
  })
}
