import { z } from 'zod'
import { AddressString } from './address.ts'
import { amountOf } from './marks.ts'

const ACTIVITY_INTERVALS = ['minute', 'hour', 'day'] as const
export const ActivityInterval = z.enum(ACTIVITY_INTERVALS)
export type ActivityInterval = z.infer<typeof ActivityInterval>

const Amount = z.string().regex(/^\d+$/)
const Timestamp = z.iso.datetime({ precision: 3 })

export const ActivityFigures = z
  .object({
    raised: Amount.meta({
      ...amountOf('quote'),
      description: 'Quote tokens that the sale has taken in, in the smallest unit.',
    }),
    sold: Amount.meta({
      ...amountOf('base'),
      description: 'Base tokens that were sold, in the smallest unit.',
    }),
    supply: Amount.meta({
      ...amountOf('base'),
      description: 'Base tokens that the sale offers, in the smallest unit.',
    }),
    price: z.string().nullable().meta({
      description:
        'Quote tokens per whole base token, rounded down to 18 significant digits. Null while there is no price, such as between graduation and the first reading of the pool.',
    }),
    progress: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'From 0 to 1 towards the goal, the cap or sell-out.' }),
    participants: z.int().min(0).nullable().meta({ description: 'Deposits that the chain counts.' }),
    creatorFees: Amount.nullable().meta({
      ...amountOf('quote'),
      description: "The creator's fees so far, in the smallest unit of the quote token.",
    }),
  })
  .meta({ id: 'LaunchActivityValues' })
export type ActivityFigures = z.infer<typeof ActivityFigures>

const ActivityPoint = z
  .object({
    time: Timestamp.meta({ description: 'When the interval starts. The figures are those at its end.' }),
    ...ActivityFigures.shape,
  })
  .meta({ id: 'LaunchActivityPoint' })

export const LaunchFigures = z
  .object({
    genesisAddress: AddressString.meta({ description: "The launch's address." }),
    quoteMint: AddressString.nullable().meta({
      description: 'The mint of the quote token; null until the service has read the launch.',
    }),
    quoteDecimals: z.int().nullable().meta({ description: 'Decimals of the quote token.' }),
    baseDecimals: z.int().nullable().meta({ description: 'Decimals of the launched token.' }),
    goal: Amount.nullable().meta({
      ...amountOf('quote'),
      description:
        'What the sale aims for, in the smallest unit of the quote token: the least that a launch pool must raise, or the cap of a presale. Null for a bonding curve, and for a sale without a goal.',
    }),
    current: ActivityFigures.nullable().meta({
      description: 'The newest figures; null until the service has read the launch, which takes a second.',
    }),
  })
  .meta({ id: 'LaunchFigures' })
export type LaunchFigures = z.infer<typeof LaunchFigures>

const { current, ...sale } = LaunchFigures.shape

export const LaunchActivity = z
  .object({
    ...sale,
    creatorWallets: z
      .array(AddressString)
      .meta({ description: "Wallets that the launch pays creator's fees to; usually one." }),
    current,
    endedAt: Timestamp.nullable().meta({
      description:
        'Set if the launch has graduated and its pool cannot be read: there will be no newer figures.',
    }),
    points: z.array(ActivityPoint).max(500).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'LaunchActivity' })
export type LaunchActivity = z.infer<typeof LaunchActivity>
