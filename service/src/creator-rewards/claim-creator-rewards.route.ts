import { addressBytes } from '@slipway/launch-model/bytes/base58'
import { isOnCurve } from '@slipway/launch-model/bytes/program-address'
import { AddressString } from '@slipway/schema/address'
import { ClaimResult } from '@slipway/schema/creator-rewards'
import { ServiceError } from '@slipway/schema/errors'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type Network, NetworkInput } from '@slipway/schema/network'
import { PayerMax } from '@slipway/schema/trade'
import { z } from 'zod'
import { tellCosts } from '../chain/transactions/payer-costs.ts'
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
    clientCall: 'rewards.claim',
    tool: {
      name: 'claim_creator_rewards',
      description:
        "Builds the unsigned transactions that pay a creator everything that they can claim now, one per bucket, largest claims first. The payer signs and submits them in any order, and the money can only go to `wallet`. If no key can sign for the wallet, as with an agent's wallet, set `payer`.",
      rest: 'After these are confirmed, call again for the rest.',
      effect: ({ wallet, payer = wallet }, { data }) =>
        `Each transaction pays ${wallet} what one bucket owes it. ${payer} signs. ${tellCosts(payer, (data as ClaimResult).costs)}`,
    },
    tag: 'Creator rewards',
    summary: 'Claim creator rewards',
    description: `Builds the unsigned transactions that pay a creator everything that they can claim now, from bonding curves and from constant-product AMMs: one transaction per bucket, at most the 256 largest. Call again for the rest.

- The payer [signs and submits](#tag/sign-and-submit) them one after another, in any order. No other signature is needed, and the money can only go to \`wallet\`.
- If no key can sign for the wallet, as with an agent's wallet, set \`payer\`.
- SOL arrives wrapped. With \`unwrap\`, it arrives as SOL, and \`wallet\` signs too. An account for wrapped SOL that existed before keeps its balance.
- If nothing is left to claim, the response is 400 \`No rewards available to claim\`. The request only builds transactions, so you can send the example repeatedly.
- The blockhash expires after 150 blocks. Then call again: the response leaves out what has been claimed in the meantime.

The transactions also collect fees that an AMM pool still holds. If the wallet's token account does not exist, they create it at the payer's cost.`,
    body: z
      .object({
        wallet: AddressString.meta({
          description:
            'The creator-fee wallet of the buckets. By default, this is the wallet that created the launch.',
        }),
        payer: AddressString.optional().meta({
          description: 'Signs, and pays fees and rent. Defaults to `wallet`.',
        }),
        unwrap: z.boolean().default(false).meta({
          description: 'Whether SOL arrives unwrapped. `wallet` must then sign too; false by default.',
        }),
        payerMax: PayerMax,
        network: NetworkInput,
      })
      .refine(({ wallet, unwrap }) => !unwrap || isOnCurve(addressBytes(wallet)), { path: ['unwrap'] })
      .meta({ examples: [{ wallet: EXAMPLE_ADDRESSES.creator }] }),
    faults: {
      body: 'INVALID_JSON',
      wallet: 'INVALID_WALLET',
      payer: 'INVALID_PAYER',
      payerMax: 'INVALID_PAYER_MAX',
      unwrap: 'INVALID_UNWRAP',
      network: 'INVALID_NETWORK',
    },
    success: {
      description: 'One transaction per bucket with something to claim, all with the same blockhash.',
      schema: z.object({ data: ClaimResult }),
      example: { data: EXAMPLE_CLAIM },
    },
    errors: ['NETWORK_NOT_SERVED', 'PAYER_LIMIT', 'NO_REWARDS'],
    async answer({ body: { network, payer, ...input }, client, deadline }) {
      const rewards = byNetwork[network]
      if (!rewards) throw new ServiceError('NETWORK_NOT_SERVED')
      const data = await rewards.claim({ ...input, payer: payer ?? input.wallet }, { client, deadline })
      return { kind: 'json', value: { data } }
    },
  })
}
