import { resolveLaunchTimes } from '@slipway/launch-model/launch-times'
import { planSwap, type Swap } from '@slipway/launch-model/trade/plan-swap'
import type { Order } from '@slipway/launch-model/trade/trade'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { SLIPPAGE_BPS_DEFAULT, type TradeQuote } from '@slipway/schema/trade'
import type { Costs } from '@slipway/schema/transaction'
import type { Blockhash, BlockhashSource } from '../../chain/account-reader.ts'
import type { AssetWitnesses } from '../../chain/confirm-asset.ts'
import type { ChainRpc } from '../../chain/rpc/create-rpc.ts'
import { buildSwapTransaction } from '../../chain/transactions/build-swap.ts'
import { assertWithin, describeCosts } from '../../chain/transactions/payer-costs.ts'
import { type Limit, type QuotedTrade, quoteTrade } from './build-quote.ts'
import { checkBalances, payerCostsOf } from './check-balances.ts'
import { assertSucceeds } from './check-simulation.ts'
import type { Markets } from './markets.ts'
import type { MarketReading } from './read-market.ts'
import { assertKept, assertOwned, fundsOf, readFor, type TraderRequest, traderOf } from './trader.ts'

export interface SwapRequest extends Order, Limit, TraderRequest {}

/** The parts that transaction builders need. */
export interface BuilderParts extends AssetWitnesses {
  markets: Markets
  rpc: AssetWitnesses['rpc'] & Pick<ChainRpc, 'simulate' | 'slotMsMost'>
  blockhash: BlockhashSource
}

interface BuiltSwap {
  tx: string
  blockhash: Blockhash
  costs: Costs
  quote: TradeQuote
}

/** Reads the chain and builds the transaction that buys or sells. Refuses a trade that would fail. */
export async function buildSwap(parts: BuilderParts, request: SwapRequest): Promise<BuiltSwap> {
  const { rpc, blockhash } = parts
  const { trader, named } = traderOf(request)
  const [reading, recent] = await Promise.all([
    readFor(parts, request, named),
    blockhash.latestFor(describe(request)),
  ])
  const agent = assertOwned(reading, request)
  const quoted = quoteTrade(reading, request, { ...request, wallet: trader })
  assertReachable(quoted)
  const swap = { ...toSwap(reading, request, quoted), agent }
  const steps = planSwap(swap)
  assertKept(reading, trader, steps)
  const tx = buildSwapTransaction({ ...swap, blockhash: recent.blockhash })
  const costs = payerCostsOf(reading, swap.payer, [{ tx, steps }])
  assertWithin(costs, request.payerMax)
  const token = swap.side === 'buy' ? 'quote' : 'base'
  checkBalances(reading, { ...swap, costs, pays: { token, amount: swap.amountIn } })
  assertSucceeds(await rpc.simulate(tx))
  return { tx, blockhash: recent, costs: describeCosts(costs), quote: quoted.quote }
}

/** Equal requests mean two trades, so each needs a transaction of its own. */
function describe({ genesis, wallet, side, mode, amount, agent, priorityFee, ...rest }: SwapRequest): string {
  const { slippageBps = SLIPPAGE_BPS_DEFAULT, minAmountOut = `${slippageBps} bps`, payer = wallet } = rest
  return ['swap', genesis, wallet, side, mode, amount, minAmountOut, payer, agent, priorityFee].join(' ')
}

/** Usually the price has moved since the caller chose the limit. */
function assertReachable({ trade: { amountOut }, minAmountOut }: QuotedTrade): void {
  if (minAmountOut <= amountOut) return
  const message = `is above what the trade gives now, which is ${amountOut}`
  throw new ServiceError('PRICE_MOVED', { details: [{ path: ['minAmountOut'], message }] })
}

function toSwap(reading: MarketReading, request: SwapRequest, { trade, minAmountOut }: QuotedTrade): Swap {
  const { pool, market } = reading
  const curve = resolveLaunchTimes(market.buckets)?.primary.address
  if (!pool && !curve) throw new ServiceError('NOT_PRICED')
  return {
    ...fundsOf(reading, request),
    side: request.side,
    amountIn: trade.amountIn,
    amountOutMin: minAmountOut,
    at: pool ? { pool } : { curve: curve as Address },
  }
}
