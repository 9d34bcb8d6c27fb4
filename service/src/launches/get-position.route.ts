import { describedAddress } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { LaunchPosition } from '@slipway/schema/position'
import { z } from 'zod'
import type { ReachSlot } from '../chain/at-slot.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { MinSlot } from '../endpoint/min-slot.ts'
import type { ReadPosition } from './deposits/read-position.ts'
import { EXAMPLE_POSITION } from './examples.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'

export function getPositionEndpoint({
  chains,
  snapshots,
  readPosition,
}: {
  chains: Partial<Record<Network, { reachSlot: ReachSlot }>>
  snapshots: LaunchSnapshots
  readPosition: ReadPosition
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches/{genesisAddress}/positions/{wallet}',
    id: 'getPosition',
    clientCall: 'launches.position',
    tool: {
      name: 'get_position',
      withoutInput: ['minSlot'],
      description:
        "What a wallet has in a launch, what it can do now, and the reason for anything it can't do.",
    },
    tag: 'Launches',
    summary: 'Get a position',
    description: `What a wallet has in a launch, what it can do now, and the reason for anything it can't do.

- The position is read from the chain. Everyone who asks for a wallet within a slot gets the same response, and these requests have a [limit of their own](#tag/rate-limits).
- A wallet that has nothing has a position of zeros.
- \`paid\` and \`received\` come from the index of trades, and may be older than \`minSlot\`.`,
    params: LaunchParams.extend({
      wallet: describedAddress("The wallet, or an agent's wallet.", EXAMPLE_ADDRESSES.owner),
    }),
    query: z.object({ network: NetworkInput, minSlot: MinSlot }),
    faults: {
      network: 'INVALID_NETWORK',
      minSlot: 'INVALID_MIN_SLOT',
      genesisAddress: 'LAUNCH_NOT_FOUND',
      wallet: 'INVALID_WALLET',
    },
    success: {
      description: 'The position.',
      schema: z.object({ data: LaunchPosition }),
      example: { data: EXAMPLE_POSITION },
    },
    errors: ['LAUNCH_NOT_FOUND'],
    async answer({ params: { genesisAddress: genesis, wallet }, query: { network, minSlot }, client }) {
      if (!snapshots.of(network).launch(genesis)) throw new ServiceError('LAUNCH_NOT_FOUND')
      await chains[network]?.reachSlot({ minSlot, client })
      const data = await readPosition(network, genesis, wallet, minSlot)
      return { kind: 'json', value: { data }, cacheControl: 'no-store' }
    },
  })
}
