import { z } from 'zod'
import { AddressString } from './address.ts'
import { amountOf } from './marks.ts'
import { BuiltTransaction, Costs } from './transaction.ts'

const U64_MAX = 2n ** 64n - 1n
const AMOUNT = 'must be a whole number from 1 to 18446744073709551615, in the smallest unit'
const ABOUT_AMOUNT = 'In the smallest unit, as decimal digits.'

/** An amount in the smallest unit as callers send it: decimal digits or, in JSON, a safe integer. */
export const UnitAmount = z
  .union([z.string().regex(/^\d{1,20}$/, { error: AMOUNT }), z.int()], { error: AMOUNT })
  .transform((given, context) => {
    const amount = BigInt(given)
    if (amount > 0n && amount <= U64_MAX) return amount
    context.addIssue({ code: 'custom', message: AMOUNT })
    return z.NEVER
  })
  .meta({ type: ['string', 'integer'], pattern: '^\\d{1,20}$', minimum: 1, description: ABOUT_AMOUNT })

export const PayerMax = UnitAmount.optional().meta({
  ...UnitAmount.meta(),
  description: 'The most that the payer may pay, in lamports: see `costs`.',
})

export const SLIPPAGE_BPS_MAX = 5_000
export const SLIPPAGE_BPS_DEFAULT = 100

const SIDES = ['buy', 'sell'] as const
const MODES = ['in', 'out'] as const

export const TradeSide = z
  .enum(SIDES)
  .meta({ description: "Whether you buy or sell base tokens, which are the launch's own." })
export const TradeMode = z.enum(MODES).default('in').meta({
  description:
    '`in` (default): `amount` is what you pay, in quote tokens for a purchase and in base tokens for a sale. `out`: `amount` is the least you receive, after fees.',
})

const Amount = z.string().meta({ description: ABOUT_AMOUNT, pattern: '^\\d+$' })
const Price = z.string().meta({ pattern: '^\\d+(\\.\\d+)?$' })

export const TradeQuote = z
  .object({
    side: z.enum(SIDES).meta({ description: 'Whether base tokens are bought or sold.' }),
    venue: z.enum(['curve', 'pool']).meta({
      description:
        'Where the launch trades now: on its bonding curve or, once it has graduated, in its pool.',
    }),
    amountIn: Amount.meta({ ...amountOf('paid'), description: 'What would be paid, fees included.' }),
    amountOut: Amount.meta({ ...amountOf('received'), description: 'What would be received, after fees.' }),
    minAmountOut: Amount.meta({
      ...amountOf('received'),
      description:
        '`amountOut` less the slippage, rounded down. With `mode=out`, `amount` less the slippage.',
    }),
    fees: z
      .object({
        protocol: Amount.meta({
          ...amountOf('quote'),
          description: "The Genesis program's fee, in quote tokens.",
        }),
        creator: Amount.meta({
          description:
            "The creator's fee. On a curve, it is in quote tokens; in a pool, in the token that the pool was set up to take it in.",
        }),
        pool: Amount.meta({
          ...amountOf('paid'),
          description: "The pool's own fee, in the token that is paid; zero on a curve.",
        }),
      })
      .meta({ description: 'Fees, which are taken out of the trade.' }),
    price: Price.meta({
      description: 'The price before the trade, without fees, in quote tokens per whole base token.',
    }),
    priceAfter: Price.meta({ description: 'The price after the trade.' }),
    priceImpactBps: z.int().min(0).meta({
      description:
        'How far the average price, before fees, is from the price before the trade, in basis points.',
    }),
    partial: z.boolean().meta({
      description:
        'Whether the curve has less left than you asked for. The amounts are then for what is left.',
    }),
    quoteMint: AddressString.meta({ description: 'The mint of the quote token.' }),
    quoteDecimals: z.int().meta({ description: 'Decimals of the quote token.' }),
    baseDecimals: z.int().meta({ description: 'Decimals of the launched token.' }),
    slot: z.int().meta({ description: 'The slot at which the chain was read.' }),
  })
  .meta({ id: 'TradeQuote' })
export type TradeQuote = z.infer<typeof TradeQuote>

export const BuiltSwap = BuiltTransaction.extend({
  costs: Costs,
  quote: TradeQuote.meta({
    description:
      'What the transaction would do now. It fails on the chain rather than give less than `minAmountOut`.',
  }),
}).meta({ id: 'BuiltSwap' })
