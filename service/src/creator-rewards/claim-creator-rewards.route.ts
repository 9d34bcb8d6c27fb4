import { AddressString } from '@slipway/schema/address'
import { ClaimResult } from '@slipway/schema/creator-rewards'
import { ServiceError } from '@slipway/schema/errors'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import type { NetworkRewards } from './creator-rewards.ts'
import { EXAMPLE_CLAIM } from './examples.ts'

export function claimCreatorRewardsEndpoint({
  rewards: byNetwork,
}: {
  rewards: Partial<Record<Network, NetworkRewards>>
}): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/creator-rewards/claim',
    id: 'claimCreatorRewards',
    tag: 'Creator rewards',
    summary: 'Claim creator rewards',
    description:
      'Builds the unsigned transactions that pay a creator what all his buckets hold for him, bonding curves and constant-product AMMs alike. The payer signs and submits them, one after another, in any order; nobody else has to sign, and the money can only go to `wallet`. Fees that an AMM pool still holds are collected on the way, and a token account that does not exist yet is made at the cost of the payer. Whoever claims for a wallet that no key signs for, such as that of an agent, names a payer. When the blockhash has expired, after a minute or so, call again: what was claimed meanwhile is not in the new answer.',
    body: z.object({
      wallet: AddressString.meta({
        description: 'The creator-fee wallet of the buckets; by default the one that launched.',
      }),
      payer: AddressString.optional().meta({
        description: 'Pays fees and rent, and signs; `wallet` without it.',
      }),
      network: NetworkInput,
    }),
    faults: {
      body: 'INVALID_JSON',
      wallet: 'INVALID_WALLET',
      payer: 'INVALID_PAYER',
      network: 'INVALID_NETWORK',
    },
    success: {
      description: 'One transaction for each bucket with something to claim, all on one blockhash.',
      schema: z.object({ data: ClaimResult }),
      example: { data: EXAMPLE_CLAIM },
    },
    errors: ['NETWORK_NOT_SERVED', 'NO_REWARDS'],
    async answer({ body: { wallet, payer = wallet, network } }) {
      const rewards = byNetwork[network]
      if (!rewards) throw new ServiceError('NETWORK_NOT_SERVED')
      return { kind: 'json', value: { data: await rewards.claim({ wallet, payer }) } }
    },
  })
}
