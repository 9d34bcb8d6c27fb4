import { LaunchData, LaunchStatus } from '@slipway/schema/launch'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint, type PreparedAnswer } from '../endpoint/endpoint.ts'
import { EXAMPLE_LAUNCH } from './examples.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'

export const LISTING_CACHE_CONTROL = 'public, max-age=5, stale-while-revalidate=60'

const ListLaunchesQuery = z.object({
  network: NetworkInput,
  status: LaunchStatus.optional().meta({ description: 'Only launches with this status; all by default.' }),
  spotlight: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: only spotlight launches; `false`: only the others; all by default.' }),
})
type ListLaunchesQuery = z.infer<typeof ListLaunchesQuery>

export function listLaunchesEndpoint({ snapshots }: { snapshots: LaunchSnapshots }): Endpoint {
  /** One look-up: nothing is queried, sorted or serialised for a request. */
  function find({ query: { network, status, spotlight } }: { query: ListLaunchesQuery }): PreparedAnswer {
    const filter = { status, spotlight: spotlight === undefined ? undefined : spotlight === 'true' }
    const snapshot = snapshots.of(network).listingFinder(filter)()
    return { kind: 'prepared', snapshot, cacheControl: LISTING_CACHE_CONTROL }
  }
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches',
    id: 'listLaunches',
    clientCall: 'launches.list',
    tag: 'Launches',
    summary: 'List launches',
    description:
      'Every matching launch in one response, newest activity first; launches with equal times are ordered by `genesisAddress`. Filters combine. `spotlight=true` lists the launches that the operator has picked.',
    query: ListLaunchesQuery,
    faults: { network: 'INVALID_NETWORK', status: 'INVALID_STATUS', spotlight: 'INVALID_SPOTLIGHT' },
    success: {
      description: 'All matching launches.',
      schema: z.object({ data: z.array(LaunchData).meta({ description: 'The launches.' }) }),
      example: { data: [EXAMPLE_LAUNCH] },
      conditional: true,
    },
    errors: [],
    uses: [
      { title: 'All launches', query: '', description: 'Every launch of `chain-mainnet`.' },
      {
        title: 'Get spotlight',
        query: '?spotlight=true',
        description: 'The launches that the operator has picked.',
      },
      {
        title: 'Live spotlight on devnet',
        query: '?spotlight=true&status=live&network=chain-devnet',
        description: 'Filters combine.',
      },
    ],
    prepared: find,
    answer: find,
  })
}
