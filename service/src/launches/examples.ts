import type { LaunchActivity } from '@slipway/schema/activity'
import type { Address } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { EXAMPLE_LAUNCH } from '@slipway/schema/example-launch'
import type { LaunchCandles, LaunchHolders, LaunchTrades, WalletTrades } from '@slipway/schema/market'
import type { LaunchPosition } from '@slipway/schema/position'
import type { RegisteredLaunch } from '@slipway/schema/registration'
import type { TradeQuote } from '@slipway/schema/trade'

/** Example responses in the API reference. */
const EXAMPLE_FIGURES = {
  raised: '42500000000',
  sold: '476190476190476',
  supply: '800000000000000',
  price: '0.000000120416666666',
  progress: 0.595238,
  participants: null,
  creatorFees: '425000000',
}

export const EXAMPLE_ACTIVITY: LaunchActivity = {
  genesisAddress: EXAMPLE_LAUNCH.launch.genesisAddress,
  quoteMint: 'So11111111111111111111111111111111111111112' as Address,
  quoteDecimals: 9,
  baseDecimals: 6,
  goal: null,
  creatorWallets: [EXAMPLE_ADDRESSES.creator],
  current: EXAMPLE_FIGURES,
  endedAt: null,
  points: [{ time: '2026-03-03T09:00:00.000Z', ...EXAMPLE_FIGURES }],
}

/** For 1 SOL, on a curve that has raised 42.5. */
export const EXAMPLE_QUOTE: TradeQuote = {
  side: 'buy',
  venue: 'curve',
  amountIn: '1000000000',
  amountOut: '7970233438210',
  minAmountOut: '7890531103827',
  fees: { protocol: '5000000', creator: '6000000', pool: '0' },
  price: '0.000000122291666666',
  priceAfter: '0.00000012587',
  priceImpactBps: 139,
  partial: false,
  quoteMint: 'So11111111111111111111111111111111111111112' as Address,
  quoteDecimals: 9,
  baseDecimals: 6,
  slot: 312_448_620,
}

/** The trade that the quote above describes. */
export const EXAMPLE_TRADES: LaunchTrades = {
  trades: [
    {
      signature: '5h6xBEauJ3PK6SWCZ1PGjBvj8vDdWG3KpwATGy1ARAXFSDwt8GFXM7W5Ncn16wmqokgpiKRLuS83KUxyZyv2sUYv',
      index: 0,
      slot: 312_448_621,
      time: '2026-03-03T09:41:27.000Z',
      kind: 'buy',
      wallet: EXAMPLE_ADDRESSES.owner,
      agent: null,
      baseAmount: '7970233438210',
      quoteAmount: '1000000000',
      protocolFee: '5000000',
      creatorFee: '6000000',
      price: '0.000000124086704564',
    },
  ],
  next: null,
  complete: true,
  reason: null,
  quoteDecimals: 9,
  baseDecimals: 6,
}

const { description: _, ...EXAMPLE_TOKEN } = EXAMPLE_LAUNCH.baseToken

export const EXAMPLE_WALLET_TRADES: WalletTrades = {
  trades: EXAMPLE_TRADES.trades.map(trade => ({
    genesisAddress: EXAMPLE_LAUNCH.launch.genesisAddress,
    baseToken: EXAMPLE_TOKEN,
    ...trade,
    quoteMint: EXAMPLE_QUOTE.quoteMint,
    quoteDecimals: 9,
    baseDecimals: 6,
  })),
  next: null,
  complete: true,
  reason: null,
}

export const EXAMPLE_CANDLES: LaunchCandles = {
  interval: '1h',
  candles: [
    {
      time: '2026-03-03T09:00:00.000Z',
      open: '0.000000120416666666',
      high: '0.000000124086704564',
      low: '0.000000119872413793',
      close: '0.000000124086704564',
      volumeBase: '24310884120993',
      volumeQuote: '3000000000',
      trades: 3,
    },
  ],
  complete: true,
  reason: null,
  quoteDecimals: 9,
  baseDecimals: 6,
}

export const EXAMPLE_HOLDERS: LaunchHolders = {
  supply: '1000000000000000',
  holders: [
    {
      owner: EXAMPLE_ADDRESSES.launch,
      amount: '523809523809524',
      share: 0.523809523809,
      label: 'curve',
    },
    { owner: EXAMPLE_ADDRESSES.owner, amount: '7970233438210', share: 0.007970233438, label: null },
  ],
  unreadParts: 0,
  quoteDecimals: 9,
  baseDecimals: 6,
  slot: 312_448_620,
}

/** A token account is created, and the wallet can close it. */
const EXAMPLE_COSTS = {
  payer: { fees: '5000', rentsMax: '2976880', rentsNow: '1488440', rentsGoTo: [EXAMPLE_ADDRESSES.owner] },
}

export const EXAMPLE_SWAP = {
  success: true,
  // Shortened.
  tx: 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIABAAkR…',
  blockhash: {
    blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
    lastValidBlockHeight: 312_448_771,
  },
  costs: EXAMPLE_COSTS,
  quote: EXAMPLE_QUOTE,
}

/** 0.98 of the 42.5 SOL that a launch pool has, after a deposit of 1 SOL. */
export const EXAMPLE_POSITION: LaunchPosition = {
  wallet: EXAMPLE_ADDRESSES.owner,
  deposited: '980000000',
  share: 0.023058823529,
  entitled: '18447058823529',
  claimable: '0',
  claimed: '0',
  refundable: '0',
  proceeds: '0',
  balance: '0',
  paid: null,
  received: null,
  nextClaim: '2026-03-10T09:00:00.000Z',
  actions: [
    { action: 'buy', available: false, reason: 'This launch takes deposits, not trades' },
    { action: 'sell', available: false, reason: 'This launch takes deposits, not trades' },
    { action: 'deposit', available: true, reason: null },
    { action: 'withdraw', available: true, reason: null },
    { action: 'claim', available: false, reason: 'Claims have not started' },
  ],
  unreadParts: 0,
  quoteMint: EXAMPLE_QUOTE.quoteMint,
  quoteDecimals: 9,
  baseDecimals: 6,
  slot: 312_448_620,
}

const DECIMALS = { quoteDecimals: 9, baseDecimals: 6 }

export const EXAMPLE_DEPOSIT = {
  success: true,
  tx: EXAMPLE_SWAP.tx,
  blockhash: EXAMPLE_SWAP.blockhash,
  costs: EXAMPLE_COSTS,
  cost: { paid: '1000000000', fee: '20000000', penalty: '0', credited: '980000000' },
  partial: false,
  position: EXAMPLE_POSITION,
  ...DECIMALS,
}

export const EXAMPLE_WITHDRAWAL = {
  success: true,
  tx: EXAMPLE_SWAP.tx,
  blockhash: EXAMPLE_SWAP.blockhash,
  costs: EXAMPLE_COSTS,
  receives: '960400000',
  receivesAtLeast: '960400000',
  position: { ...EXAMPLE_POSITION, deposited: '0', share: 0, entitled: '0' },
  ...DECIMALS,
}

export const EXAMPLE_LAUNCH_CLAIM = {
  success: true,
  transactions: [EXAMPLE_SWAP.tx],
  blockhash: EXAMPLE_SWAP.blockhash,
  costs: EXAMPLE_COSTS,
  receives: { tokens: '18447058823529', quote: '0' },
  nextClaim: null,
  quoteMint: EXAMPLE_QUOTE.quoteMint,
  ...DECIMALS,
}

export const EXAMPLE_GRADUATION = {
  success: true,
  transactions: [EXAMPLE_SWAP.tx],
  blockhash: EXAMPLE_SWAP.blockhash,
  costs: { payer: { fees: '150005000', rentsMax: '30770560', rentsNow: '30770560', rentsGoTo: [] } },
  cost: { pool: '150000000', rent: '30770560', fees: '5000', total: '180775560' },
  ...DECIMALS,
}

export const EXAMPLE_CREATED = {
  success: true,
  // Shortened.
  transactions: [
    'AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIACAAcT…',
    'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIABAAgQ…',
  ],
  blockhash: {
    blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N',
    lastValidBlockHeight: 312_448_771,
  },
  mintAddress: EXAMPLE_LAUNCH.baseToken.address,
  genesisAccount: EXAMPLE_LAUNCH.launch.genesisAddress,
}

/** The request describes a launch that is registered already, so that it can be sent again and again. */
export const EXAMPLE_REGISTERED: RegisteredLaunch = {
  success: true,
  existing: true,
  launch: {
    id: '5b0c4f0e-8a55-4c0e-9a35-0f8e6f0a7d11',
    link: EXAMPLE_LAUNCH.launch.launchPage,
  },
  token: { id: '0d8a3c6b-52f1-4f5f-8e2c-3c1d9f2b7a40', mintAddress: EXAMPLE_LAUNCH.baseToken.address },
}
