import { LaunchData, LaunchStatus } from '@slipway/schema/launch'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import type { Snapshot } from '../endpoint/representation.ts'
import { EXAMPLE_LAUNCH } from './examples.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'

export const LISTING_CACHE_CONTROL = 'public, max-age=5, stale-while-revalidate=60'

export const ListLaunchesQuery = z.object({
  network: NetworkInput,
  status: LaunchStatus.optional().meta({ description: 'Only launches with this status; all by default.' }),
  spotlight: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only spotlight launches; `false`: only the others; all by default.' }),
})
export type ListLaunchesQuery = z.infer<typeof ListLaunchesQuery>

export function listLaunchesEndpoint(snapshots: LaunchSnapshots): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches',
    id: 'listLaunches',
    tag: 'Launches',
    summary: 'List launches',
    description:
      'Every matching launch in one response, newest activity first; launches with equal times are ordered by `genesisAddress`. Filters combine. `spotlight=true` lists the launches that the platform has picked.',
    query: ListLaunchesQuery,
    faults: { network: 'INVALID_NETWORK', status: 'INVALID_STATUS', spotlight: 'INVALID_SPOTLIGHT' },
    success: {
      description: 'All matching launches.',
      schema: z.object({ data: z.array(LaunchData) }),
      example: { data: [EXAMPLE_LAUNCH] },
      conditional: true,
    },
    errors: [],
    uses: [
      { title: 'All launches', query: '', description: 'Every launch of `chain-mainnet`.' },
      {
        title: 'Get spotlight',
        query: '?spotlight=true',
        description: 'The launches that the platform has picked.',
      },
      {
        title: 'Live spotlight on devnet',
        query: '?spotlight=true&status=live&network=chain-devnet',
        description: 'Filters combine.',
      },
    ],
    answer: ({ query }) => ({
      kind: 'prepared',
      snapshot: listingFinder(snapshots, query)(),
      cacheControl: LISTING_CACHE_CONTROL,
    }),
  })
}

/** What such a query asks for, at any time. One look-up: nothing is queried, sorted or serialised for a request. */
export function listingFinder(
  snapshots: LaunchSnapshots,
  { network, status, spotlight }: ListLaunchesQuery,
): () => Snapshot {
  return snapshots
    .of(network)
    .listingFinder({ status, spotlight: spotlight === undefined ? undefined : spotlight === 'true' })
}
