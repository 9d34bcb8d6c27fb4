import { z } from 'zod'
import { AddressString } from './address.ts'
import { amountOf } from './marks.ts'
import { UnitAmount } from './trade.ts'
import { BlockhashBody, BuiltTransaction, Costs, Success } from './transaction.ts'

const Amount = z.string().meta({ description: 'In the smallest unit, as decimal digits.', pattern: '^\\d+$' })
const Quote = Amount.meta(amountOf('quote'))
const Base = Amount.meta(amountOf('base'))
const Time = z.iso.datetime()

const DECIMALS = {
  quoteDecimals: z.int().meta({ description: 'Decimals of the quote token.' }),
  baseDecimals: z.int().meta({ description: 'Decimals of the launched token.' }),
}

/** What can be done with a launch, as positions list it. */
const PositionAction = z.object({
  action: z.enum(['buy', 'sell', 'deposit', 'withdraw', 'claim']).meta({
    description: '`claim` stands for everything that the launch pays out, refunds included.',
  }),
  available: z.boolean().meta({ description: 'Whether the action is possible now.' }),
  reason: z.string().nullable().meta({
    description:
      'Why it is not possible, as the text of the error that you would get; null if it is possible.',
  }),
})

export const LaunchPosition = z
  .object({
    wallet: AddressString.meta({ description: 'The wallet that has this position.' }),
    deposited: Quote.meta({
      description:
        'Quote tokens that the wallet has in the launch: its deposits without fees, less what it has withdrawn.',
    }),
    share: z.number().meta({ description: "The wallet's share of the sale, from 0 to 1." }),
    entitled: Base.meta({
      description: 'Base tokens that the wallet gets in all if the sale ends as it is now.',
    }),
    claimable: Base.meta({ description: 'Base tokens that a claim would pay now.' }),
    claimed: Base.meta({ description: 'Base tokens that have been claimed.' }),
    refundable: Quote.meta({
      description: 'Quote tokens that a claim would pay back now, after a missed goal.',
    }),
    proceeds: Quote.meta({
      description:
        "The wallet's part of the money raised that a claim would pay now, in quote tokens, after fees.",
    }),
    balance: Base.meta({ description: "Base tokens in the wallet's token account." }),
    paid: Quote.nullable().meta({
      description:
        'Quote tokens that the wallet has paid in all known trades; null until trades are indexed.',
    }),
    received: Quote.nullable().meta({
      description:
        'Quote tokens that the wallet has received in all known trades; null until trades are indexed.',
    }),
    nextClaim: Time.nullable().meta({
      description: 'When more can be claimed; null if nothing more is expected or the time is not known.',
    }),
    actions: z
      .array(PositionAction)
      .meta({ description: "What the wallet can do now, and the reason for anything it can't do." }),
    unreadParts: z.int().min(0).meta({
      description:
        "How many parts of the launch this version can't read. What they hold for the wallet is not counted.",
    }),
    quoteMint: AddressString.meta({ description: 'The mint of the quote token.' }),
    ...DECIMALS,
    slot: z.int().meta({ description: 'The slot at which the chain was read.' }),
  })
  .meta({ id: 'LaunchPosition' })
export type LaunchPosition = z.infer<typeof LaunchPosition>

const LATER = { description: 'The position as it will be once the transaction has landed.' }

export const BuiltDeposit = BuiltTransaction.extend({
  costs: Costs,
  cost: z
    .object({
      paid: Quote.meta({ description: 'Everything that leaves the wallet, besides network fees and rent.' }),
      fee: Quote.meta({ description: "The program's fee, taken out of `amount`." }),
      penalty: Quote.meta({
        description: 'What the launch charges on top of `amount`; zero if it has no penalty.',
      }),
      credited: Quote.meta({ description: "How much the wallet's deposit grows." }),
    })
    .meta({ description: 'What the deposit costs now, in quote tokens.' }),
  partial: z.boolean().meta({
    description:
      "Whether the presale's cap has room for only a part of `amount`. You then pay only for that part.",
  }),
  position: LaunchPosition.meta(LATER),
  ...DECIMALS,
}).meta({ id: 'BuiltDeposit' })

export const BuiltWithdrawal = BuiltTransaction.extend({
  costs: Costs,
  receives: Quote.meta({
    description: 'Quote tokens that would arrive in the wallet now, after the fee and any penalty.',
  }),
  receivesAtLeast: Quote.meta({
    description: 'The least that can arrive if a penalty begins or grows before the transaction lands.',
  }),
  position: LaunchPosition.meta(LATER),
  ...DECIMALS,
}).meta({ id: 'BuiltWithdrawal' })

const BUILT_SEVERAL = {
  success: Success,
  transactions: z.array(z.string()).meta({
    description:
      'Unsigned transactions in base64. Submit them in order, each after the one before is confirmed.',
  }),
  blockhash: BlockhashBody,
  costs: Costs,
}

export const BuiltLaunchClaim = z
  .object({
    ...BUILT_SEVERAL,
    receives: z
      .object({
        tokens: Base.meta({ description: 'Base tokens.' }),
        quote: Quote.meta({ description: 'Quote tokens: a refund, or proceeds after fees.' }),
      })
      .meta({
        description: 'Everything that arrives. Zero if the transactions only start a claim schedule.',
      }),
    nextClaim: Time.nullable().meta({
      description: 'When more can be claimed; null if nothing more is expected or the time is not known.',
    }),
    quoteMint: AddressString.meta({ description: 'The mint of the quote token.' }),
    ...DECIMALS,
  })
  .meta({ id: 'BuiltLaunchClaim' })

export const BuiltGraduation = z
  .object({
    ...BUILT_SEVERAL,
    cost: z
      .object({
        pool: Amount.meta({ description: "Raydium's fee for a new pool." }),
        rent: Amount.meta({ description: "Rent of the pool's accounts." }),
        fees: Amount.meta({ description: 'Network fees, with the priority fee.' }),
        total: Amount.meta({ description: 'Everything that the payer spends.' }),
      })
      .meta({ description: 'What graduation costs its payer, in lamports.' }),
    ...DECIMALS,
  })
  .meta({ id: 'BuiltGraduation' })

/** An amount, or all of it. */
export const UnitAmountOrAll = z
  .union([z.literal('all'), UnitAmount])
  .meta({ description: 'In the smallest unit, as decimal digits, or `all`.' })
