import { z } from 'zod'
import { AddressString } from './address.ts'
import { BlockhashBody } from './transaction.ts'

export const ClaimResult = z
  .object({
    transactions: z
      .array(z.string())
      .meta({ description: 'Base64, unsigned, one for each bucket, the largest claims first; 256 at most.' }),
    blockhash: BlockhashBody.meta({
      description: 'Of all the transactions: confirm them against this one, never against a newer one.',
    }),
  })
  .meta({ id: 'ClaimResult' })
export type ClaimResult = z.infer<typeof ClaimResult>

const Amount = z
  .string()
  .meta({ description: 'In the smallest unit of the quote token, as digits.', pattern: '^\\d+$' })

const AMOUNTS = {
  accrued: Amount.meta({ description: 'What the bucket counts as earned so far.' }),
  claimed: Amount.meta({ description: 'What the bucket counts as paid out.' }),
  uncollected: Amount.meta({
    description: 'What the pool still holds for the creator; a claim collects it. Zero for a curve.',
  }),
  claimable: Amount.meta({ description: 'What a claim would bring now.' }),
}

export const REWARD_KINDS = ['bondingCurveV2', 'raydiumCpmmV2'] as const

export const RewardBucket = z
  .object({
    address: AddressString,
    kind: z.enum(REWARD_KINDS).meta({ description: 'A bonding curve, or a constant-product AMM.' }),
    genesisAddress: AddressString.meta({ description: 'The launch that the bucket belongs to.' }),
    quoteMint: AddressString.meta({ description: 'What the creator is paid in.' }),
    ...AMOUNTS,
  })
  .meta({ id: 'RewardBucket' })
export type RewardBucket = z.infer<typeof RewardBucket>

export const CreatorRewards = z
  .object({
    wallet: AddressString,
    buckets: z.array(RewardBucket).meta({ description: 'The largest claims first.' }),
    totals: z
      .array(z.object({ quoteMint: AddressString, ...AMOUNTS }))
      .meta({ description: 'The same for each quote token.' }),
  })
  .meta({ id: 'CreatorRewards' })
export type CreatorRewards = z.infer<typeof CreatorRewards>
