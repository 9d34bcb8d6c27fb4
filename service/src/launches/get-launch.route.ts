import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_LAUNCH } from '@slipway/schema/example-launch'
import { type LaunchData, LaunchDetail } from '@slipway/schema/launch'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { LISTING_CACHE_CONTROL } from './list-launches.route.ts'

export function getLaunchEndpoint({ snapshots }: { snapshots: LaunchSnapshots }): Endpoint {
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
    answer({ params, query }) {
      const entry = snapshots.of(query.network).launch(params.genesisAddress)
      if (!entry) throw new ServiceError('LAUNCH_NOT_FOUND')
      const data = JSON.parse(entry.json) as LaunchData
      return {
        kind: 'json',
        value: {
          data: {
            ...data,
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
