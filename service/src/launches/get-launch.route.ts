import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_LAUNCH } from '@slipway/schema/example-launch'
import { LaunchDetail } from '@slipway/schema/launch'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import type { Database } from '../store/database.ts'
import { findLaunch } from '../store/read-launches.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { LISTING_CACHE_CONTROL } from './list-launches.route.ts'
import { buildAbout, type LaunchAbout, type ListedLaunch, readLaunchData } from './listing/listed-launch.ts'

export function getLaunchEndpoint({
  snapshots,
  database,
}: {
  snapshots: LaunchSnapshots
  database: Database
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches/{genesisAddress}',
    id: 'getLaunch',
    clientCall: 'launches.get',
    tool: { name: 'get_launch', resource: 'A launch' },
    tag: 'Launches',
    summary: 'Get a launch',
    description:
      'One launch as in the listings, which of its social links are verified, the agent behind it, and whether the token existed before it.',
    params: LaunchParams,
    query: z.object({ network: NetworkInput }),
    faults: { network: 'INVALID_NETWORK', genesisAddress: 'LAUNCH_NOT_FOUND' },
    success: {
      description: 'The launch.',
      schema: z.object({ data: LaunchDetail }),
      example: { data: { ...EXAMPLE_LAUNCH, verifiedSocials: ['x'] } },
      conditional: true,
    },
    errors: ['LAUNCH_NOT_FOUND'],
    async answer({ params, query }) {
      const entry = snapshots.of(query.network).launch(params.genesisAddress)
      if (!entry) throw new ServiceError('LAUNCH_NOT_FOUND')
      const { launch } = readLaunchData(entry)
      const about = await readAbout(database, query.network, entry)
      return {
        kind: 'json',
        value: {
          data: {
            launch,
            ...about,
            verifiedSocials: entry.verifiedSocials,
            ...(entry.agent && { agent: entry.agent }),
            ...(!entry.createdToken && { existingToken: true as const }),
          },
        },
        cacheControl: LISTING_CACHE_CONTROL,
      }
    },
  })
}

/** The whole texts about a launch. Most are not shortened in lists, so the store is seldom read. */
export async function readAbout(
  database: Database,
  network: Network,
  listed: ListedLaunch,
): Promise<LaunchAbout> {
  const record = listed.isShortened ? await findLaunch(database, network, listed.genesisAddress) : undefined
  if (record) return buildAbout(record)
  const { baseToken, website, socials } = readLaunchData(listed)
  return { baseToken, website, socials }
}
