import { z } from 'zod'
import { AddressString } from './address.ts'
import { BaseToken } from './launch.ts'
import { amountOf } from './marks.ts'

const Amount = z.string().regex(/^\d+$/)
const Price = z.string().nullable()
const Timestamp = z.iso.datetime({ precision: 3 })

const DECIMALS = {
  quoteDecimals: z
    .int()
    .nullable()
    .meta({ description: 'Decimals of the quote token; null until the service has read the launch.' }),
  baseDecimals: z.int().nullable().meta({ description: 'Decimals of the launched token.' }),
}

const COMPLETENESS = {
  complete: z.boolean().meta({ description: 'Whether every trade up to now is known.' }),
  reason: z.string().nullable().meta({ description: 'Why trades are missing; null if `complete` is true.' }),
}

export const TradeKind = z.enum(['buy', 'sell', 'deposit', 'withdraw', 'claim', 'refund'])

/** One movement of a wallet's funds in a launch. */
export const LaunchTrade = z
  .object({
    signature: z.string().meta({ description: 'The signature of the transaction.' }),
    index: z.int().min(0).meta({ description: 'Tells several trades of one transaction apart.' }),
    slot: z.int().min(0).meta({ description: 'The slot of the transaction.' }),
    time: Timestamp.meta({ description: 'The time of the block.' }),
    kind: TradeKind.meta({ description: 'What the wallet did.' }),
    wallet: AddressString.meta({
      description: "Whose funds moved. If an agent traded, it is the agent's wallet.",
    }),
    agent: AddressString.nullable().meta({ description: 'The agent that traded; null if none did.' }),
    baseAmount: Amount.meta({ ...amountOf('base'), description: 'Base tokens, in the smallest unit.' }),
    quoteAmount: Amount.meta({
      ...amountOf('quote'),
      description: 'Quote tokens that the wallet paid or received, after all fees, in the smallest unit.',
    }),
    protocolFee: Amount.meta({ ...amountOf('quote'), description: "The Genesis program's fee." }),
    creatorFee: Amount.meta({ ...amountOf('quote'), description: "The creator's fee." }),
    price: Price.meta({
      description:
        'Before fees, in quote tokens per whole base token; null unless it is a buy or a sell of at least 2,000 units of each token.',
    }),
  })
  .meta({ id: 'LaunchTrade' })
export type LaunchTrade = z.infer<typeof LaunchTrade>

const NEXT_TRADES = z
  .string()
  .nullable()
  .meta({ description: 'The `before` of the next page, with older trades; null on the last one.' })

export const LaunchTrades = z
  .object({
    trades: z.array(LaunchTrade).meta({ description: 'Newest first.' }),
    next: NEXT_TRADES,
    ...COMPLETENESS,
    ...DECIMALS,
  })
  .meta({ id: 'LaunchTrades' })
export type LaunchTrades = z.infer<typeof LaunchTrades>

const WalletTrade = z
  .object({
    genesisAddress: AddressString.meta({ description: "The launch's address." }),
    baseToken: BaseToken.pick({ address: true, name: true, symbol: true, image: true }).meta({
      description: 'The token that is launched.',
    }),
    ...LaunchTrade.shape,
    quoteMint: AddressString.nullable().meta({
      description: 'The mint of the quote token; null until the service has read the launch.',
    }),
    ...DECIMALS,
  })
  .meta({ id: 'WalletTrade', description: 'A trade, with the launch that it was made in.' })
export type WalletTrade = z.infer<typeof WalletTrade>

export const WalletTrades = z
  .object({
    trades: z.array(WalletTrade).meta({ description: 'Newest first.' }),
    next: NEXT_TRADES,
    ...COMPLETENESS,
  })
  .meta({ id: 'WalletTrades' })
export type WalletTrades = z.infer<typeof WalletTrades>

/** Lengths of candles, in minutes. */
export const CANDLE_MINUTES = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240, '1d': 1_440 } as const
export const CandleInterval = z.enum(
  Object.keys(CANDLE_MINUTES) as [keyof typeof CANDLE_MINUTES, ...(keyof typeof CANDLE_MINUTES)[]],
)
export type CandleInterval = z.infer<typeof CandleInterval>

const LaunchCandle = z
  .object({
    time: Timestamp.meta({ description: 'When the interval starts.' }),
    open: Price.meta({
      description:
        'The first price, before fees, in quote tokens per whole base token; null if no trade has a price.',
    }),
    high: Price.meta({ description: 'The highest price.' }),
    low: Price.meta({ description: 'The lowest price.' }),
    close: Price.meta({ description: 'The last price.' }),
    volumeBase: Amount.meta({
      ...amountOf('base'),
      description: 'The `baseAmount` of all buys and sells.',
    }),
    volumeQuote: Amount.meta({
      ...amountOf('quote'),
      description: 'The `quoteAmount` of all buys and sells.',
    }),
    trades: z.int().min(1).meta({ description: 'The number of buys and sells.' }),
  })
  .meta({ id: 'LaunchCandle' })
export type LaunchCandle = z.infer<typeof LaunchCandle>

export const LaunchCandles = z
  .object({
    interval: CandleInterval.meta({ description: 'The length of each candle.' }),
    candles: z.array(LaunchCandle).max(1_000).meta({ description: 'Oldest first.' }),
    ...COMPLETENESS,
    ...DECIMALS,
  })
  .meta({ id: 'LaunchCandles' })
export type LaunchCandles = z.infer<typeof LaunchCandles>

const HolderLabel = z.enum(['curve', 'pool', 'launch', 'creator', 'agent']).nullable()
export type HolderLabel = z.infer<typeof HolderLabel>

export const LaunchHolders = z
  .object({
    supply: Amount.meta({ ...amountOf('base'), description: 'All base tokens that exist.' }),
    holders: z
      .array(
        z.object({
          owner: AddressString.meta({ description: 'Who controls the account.' }),
          amount: Amount.meta({ ...amountOf('base'), description: 'What it holds, in the smallest unit.' }),
          share: z.number().min(0).max(1).meta({ description: 'Its share of the supply, from 0 to 1.' }),
          label: HolderLabel.meta({
            description:
              "`curve`: tokens that the bonding curve still sells. `pool`: those of Raydium's pools. `launch`: what else the launch holds. `creator` and `agent`: the launch's. Null for anyone else.",
          }),
        }),
      )
      .max(20)
      .meta({ description: 'Largest first.' }),
    unreadParts: z.int().min(0).meta({
      description: "How many parts of the launch this version can't read. Their accounts have no label.",
    }),
    quoteDecimals: z.int().meta({ description: 'Decimals of the quote token.' }),
    baseDecimals: z.int().meta({ description: 'Decimals of the launched token.' }),
    slot: z.int().meta({ description: 'The slot at which the chain was read.' }),
  })
  .meta({ id: 'LaunchHolders' })
export type LaunchHolders = z.infer<typeof LaunchHolders>
