import { describedAddress } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { EXAMPLE_LAUNCH } from '@slipway/schema/example-launch'
import { TokenDetail } from '@slipway/schema/launch'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import type { Database } from '../store/database.ts'
import { readAbout } from './get-launch.route.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { LISTING_CACHE_CONTROL } from './list-launches.route.ts'
import { readLaunchData } from './listing/listed-launch.ts'

export function getTokenEndpoint({
  snapshots,
  database,
}: {
  snapshots: LaunchSnapshots
  database: Database
}): Endpoint {
  const { launch, ...about } = EXAMPLE_LAUNCH
  return defineEndpoint({
    method: 'GET',
    path: '/v1/tokens/{mint}',
    id: 'getToken',
    clientCall: 'tokens.get',
    tag: 'Tokens',
    summary: 'Get a token',
    description:
      'A token and all of its launches, newest activity first. `website` and `socials` come from the launch that created the token; they are empty until it is registered. What other launches of the token say is in their own answers.',
    params: z.object({ mint: describedAddress("The token's mint.", EXAMPLE_ADDRESSES.token) }),
    query: z.object({ network: NetworkInput }),
    faults: { network: 'INVALID_NETWORK', mint: 'TOKEN_NOT_FOUND' },
    success: {
      description: 'The token and its launches.',
      schema: z.object({ data: TokenDetail }),
      example: { data: { launches: [launch], ...about } },
      conditional: true,
    },
    errors: ['TOKEN_NOT_FOUND'],
    async answer({ params, query }) {
      const entries = snapshots.of(query.network).launchesOfToken(params.mint)
      const maker = entries.find(entry => entry.createdToken)
      const known = maker ?? entries[0]
      if (!known) throw new ServiceError('TOKEN_NOT_FOUND')
      const { baseToken, ...links } = await readAbout(database, query.network, known)
      const launches = entries.map(entry => readLaunchData(entry).launch)
      return {
        kind: 'json',
        value: { data: { launches, baseToken, ...(maker ? links : NOTHING_SAID) } },
        cacheControl: LISTING_CACHE_CONTROL,
      }
    },
  })
}

const NOTHING_SAID = { website: '', socials: {} }
