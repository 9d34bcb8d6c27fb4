import { z } from 'zod'
import { AddressString } from './address.ts'
import type { BucketKind } from './launch.ts'
import { amountOf } from './marks.ts'
import { BlockhashBody, Costs } from './transaction.ts'

export const ClaimResult = z
  .object({
    transactions: z.array(z.string()).meta({
      description: 'Unsigned transactions in base64, one per bucket, largest claims first; at most 256.',
    }),
    blockhash: BlockhashBody.meta({
      description:
        'Shared by all transactions: confirm them against this blockhash, never against a newer one.',
    }),
    costs: Costs,
  })
  .meta({ id: 'ClaimResult' })
export type ClaimResult = z.infer<typeof ClaimResult>

const Amount = z.string().meta({
  ...amountOf('quote'),
  description: 'In the smallest unit of the quote token, as decimal digits.',
  pattern: '^\\d+$',
})

const AMOUNTS = {
  accrued: Amount.meta({ description: 'Earned so far, as recorded in the bucket.' }),
  claimed: Amount.meta({ description: 'Paid out so far, as recorded in the bucket.' }),
  uncollected: Amount.meta({
    description: 'Still held by the pool for the creator; a claim collects it. Zero for a bonding curve.',
  }),
  claimable: Amount.meta({ description: 'What a claim would pay now.' }),
}

/** The kinds of bucket that pay a creator. */
export const REWARD_KINDS = ['bondingCurveV2', 'raydiumCpmmV2'] as const satisfies BucketKind[]
export type RewardKind = (typeof REWARD_KINDS)[number]

const RewardBucket = z
  .object({
    address: AddressString.meta({ description: 'The bucket.' }),
    kind: z.enum(REWARD_KINDS).meta({ description: 'A bonding curve or a constant-product AMM.' }),
    genesisAddress: AddressString.meta({ description: 'The launch that the bucket belongs to.' }),
    quoteMint: AddressString.meta({ description: 'The token that the creator is paid in.' }),
    ...AMOUNTS,
  })
  .meta({ id: 'RewardBucket' })

export const CreatorRewards = z
  .object({
    wallet: AddressString.meta({ description: 'The wallet that the buckets pay.' }),
    buckets: z.array(RewardBucket).meta({ description: 'Largest claims first.' }),
    totals: z
      .array(
        z.object({
          quoteMint: AddressString.meta({ description: 'The token that the creator is paid in.' }),
          ...AMOUNTS,
        }),
      )
      .meta({ description: 'Totals for each quote token.' }),
  })
  .meta({ id: 'CreatorRewards' })
export type CreatorRewards = z.infer<typeof CreatorRewards>
