import { describedAddress } from '@slipway/schema/address'
import { CreatorRewards } from '@slipway/schema/creator-rewards'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import type { ReachSlot } from '../chain/at-slot.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { MinSlot } from '../endpoint/min-slot.ts'
import type { NetworkRewards } from './creator-rewards.ts'
import { EXAMPLE_REWARDS } from './examples.ts'

export function getCreatorRewardsEndpoint({
  chains,
  rewards: byNetwork,
}: {
  chains: Partial<Record<Network, { reachSlot: ReachSlot }>>
  rewards: Partial<Record<Network, NetworkRewards>>
}): Endpoint {
  return defineEndpoint({
    method: 'GET',
    path: '/v1/creator-rewards/{wallet}',
    reserved: ['claim'],
    id: 'getCreatorRewards',
    clientCall: 'rewards.get',
    tool: { name: 'get_creator_rewards', withoutInput: ['minSlot'] },
    tag: 'Creator rewards',
    summary: 'Get creator rewards',
    description:
      'Lists every bucket that pays this wallet and what a claim would pay now, according to the chain. The list is empty if no bucket pays the wallet.',
    params: z.object({
      wallet: describedAddress('The creator-fee wallet of the buckets.', EXAMPLE_ADDRESSES.creator),
    }),
    query: z.object({ network: NetworkInput, minSlot: MinSlot }),
    faults: { wallet: 'INVALID_WALLET', network: 'INVALID_NETWORK', minSlot: 'INVALID_MIN_SLOT' },
    success: {
      description: 'The buckets and their totals.',
      schema: z.object({ data: CreatorRewards }),
      example: { data: EXAMPLE_REWARDS },
    },
    errors: ['NETWORK_NOT_SERVED'],
    async answer({ params: { wallet }, query: { network, minSlot }, client, deadline }) {
      const rewards = byNetwork[network]
      if (!rewards) throw new ServiceError('NETWORK_NOT_SERVED')
      await chains[network]?.reachSlot({ minSlot, client })
      const data = await rewards.list(wallet, { client, deadline })
      return { kind: 'json', value: { data }, cacheControl: 'no-store' }
    },
  })
}
