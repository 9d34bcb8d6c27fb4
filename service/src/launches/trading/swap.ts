import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { tokensOf } from '@slipway/launch-model/calls/trades'
import { resolveLaunchTimes } from '@slipway/launch-model/launch-times'
import { RENT_SYSVAR, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Swap, TraderAccounts } from '@slipway/launch-model/trade/plan-swap'
import type { Order } from '@slipway/launch-model/trade/trade'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { TradeQuote } from '@slipway/schema/trade'
import type { Blockhash, BlockhashSource, ChainAccount } from '../../chain/account-reader.ts'
import { decodeAsset } from '../../chain/accounts/asset.ts'
import { decodeRent } from '../../chain/accounts/rent.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { buildSwapTransaction } from '../../chain/transactions/build-swap.ts'
import { type Limit, type QuotedTrade, quoteTrade } from './build-quote.ts'
import { checkBalances } from './check-balances.ts'
import { assertSucceeds } from './check-simulation.ts'
import type { LaunchShape } from './launch-shape.ts'
import type { Markets } from './markets.ts'
import type { MarketReading } from './read-market.ts'

export interface SwapRequest extends Order, Limit {
  genesis: Address
  wallet: Address
  payer?: Address | undefined
  agent?: Address | undefined
  priorityFee: bigint
}

interface SwapParts {
  markets: Markets
  rpc: Pick<ChainRpc, 'simulate'>
  blockhash: BlockhashSource
}

interface BuiltSwap {
  tx: string
  blockhash: Blockhash
  quote: TradeQuote
}

/** Builds the transaction that buys or sells, from what the chain says in this call. Refuses one that would fail. */
export async function buildSwap(parts: SwapParts, request: SwapRequest): Promise<BuiltSwap> {
  const { markets, rpc, blockhash } = parts
  const trader = request.agent ? assetSignerAddress(request.agent) : request.wallet
  const payer = request.payer ?? request.wallet
  const named = (shape: LaunchShape) => accountsOf(request, { trader, payer }, shape)
  const [reading, recent] = await Promise.all([
    markets.read(request.genesis, named),
    blockhash.latestFor(describe(request)),
  ])
  const agent = request.agent ? assertOwned(reading, request.agent, request.wallet) : undefined
  const quoted = quoteTrade(reading, request, { ...request, wallet: trader })
  const swap = { ...toSwap(reading, request, quoted, { trader, payer }), agent }
  checkBalances(reading, swap)
  const tx = buildSwapTransaction({ ...swap, blockhash: recent.blockhash })
  assertSucceeds(await rpc.simulate(tx))
  return { tx, blockhash: recent, quote: quoted.quote }
}

/** Two equal requests want two trades, so each needs a transaction of its own. */
const describe = ({ genesis, wallet, side, mode, amount, ...rest }: SwapRequest) =>
  ['swap', genesis, wallet, side, mode, amount, ...Object.values(rest)].join(' ')

function accountsOf(
  { wallet, agent }: SwapRequest,
  { trader, payer }: { trader: Address; payer: Address },
  { base, quote }: LaunchShape,
): Address[] {
  return [
    RENT_SYSVAR,
    wallet,
    payer,
    trader,
    tokensOf(base, trader),
    tokensOf(quote, trader),
    ...(agent ? [agent] : []),
  ]
}

/** The chain checks this too; this check saves the caller a transaction that can't succeed. */
function assertOwned({ others }: MarketReading, agent: Address, wallet: Address) {
  const asset = decodeAsset(others.get(agent) as ChainAccount)
  if (!asset.exists) throw new ServiceError('AGENT_NOT_FOUND')
  if (asset.owner !== wallet) throw new ServiceError('NOT_AUTHORIZED')
  return { asset: agent, collection: asset.collection }
}

const TOKEN_ACCOUNT_BYTES = 165
/** Ten times what it has always been. The trader gives this back to the payer, so an endpoint must not choose it. */
const ACCOUNT_RENT_MAX = 20_392_800n

function rentOf(sysvar: ChainAccount | undefined): bigint {
  const rent = decodeRent(sysvar)(TOKEN_ACCOUNT_BYTES)
  if (rent <= 0n || rent > ACCOUNT_RENT_MAX) throw new ServiceError('SERVICE_UNAVAILABLE')
  return rent
}

function toSwap(
  reading: MarketReading,
  { side, genesis, agent, priorityFee }: SwapRequest,
  { trade, minAmountOut }: QuotedTrade,
  { trader, payer }: { trader: Address; payer: Address },
): Swap {
  const { shape, others, pool, market } = reading
  const curve = resolveLaunchTimes(market.buckets)?.primary.address
  if (!pool && !curve) throw new ServiceError('NOT_PRICED')
  return {
    side,
    amountIn: trade.amountIn,
    amountOutMin: minAmountOut,
    genesis,
    tokens: shape,
    at: pool ? { pool } : { curve: curve as Address },
    trader,
    payer,
    isAgent: agent !== undefined,
    holds: accountsHeld(reading, trader),
    accountRent: rentOf(others.get(RENT_SYSVAR)),
    priorityFee,
  }
}

/**
 * Money sent to the address of a token account before it exists does not create it. An account that its owner has given away
 * keeps its address, and would receive what is bought.
 */
function accountsHeld({ shape, others }: MarketReading, trader: Address): TraderAccounts {
  const held = (token: LaunchShape['base']) => {
    const account = decodeTokenAccount(others.get(tokensOf(token, trader)) as ChainAccount)
    if (account.exists && (account.holder !== trader || account.mint !== token.mint))
      throw new ServiceError('TOKEN_ACCOUNT_TAKEN')
    return account
  }
  const quote = held(shape.quote)
  if (quote.exists && quote.isClosedByOthers && shape.quote.mint === WRAPPED_NATIVE_MINT)
    throw new ServiceError('TOKEN_ACCOUNT_TAKEN')
  return { hasBase: held(shape.base).exists, quote: quote.exists ? quote : undefined }
}
