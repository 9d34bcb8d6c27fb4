import type { ActingAgent } from '@slipway/launch-model/calls/agents'
import type { StepGroup } from '@slipway/launch-model/plan-deposit'
import type { Funds } from '@slipway/launch-model/trade/wrap-native'
import type { Address } from '@slipway/schema/address'
import type { Costs } from '@slipway/schema/transaction'
import type { Blockhash } from '../../chain/account-reader.ts'
import { packGroups } from '../../chain/transactions/pack-groups.ts'
import { assertWithin, describeCosts } from '../../chain/transactions/payer-costs.ts'
import { checkBalances, payerCostsOf, type Spending } from '../trading/check-balances.ts'
import { assertSucceeds } from '../trading/check-simulation.ts'
import type { MarketReading } from '../trading/read-market.ts'
import type { BuilderParts } from '../trading/swap.ts'
import { assertKept, assertOwned, fundsOf, readFor, type TraderRequest, traderOf } from '../trading/trader.ts'
import { type PositionReading, positionAccounts, toPosition } from './resolve-position.ts'

/** What a builder knows about a launch and the wallet that takes part in it. */
export interface Opened extends PositionReading {
  funds: Funds & { genesis: Address; agent?: ActingAgent | undefined; payerMax?: bigint | undefined }
  recent: Blockhash
}

/**
 * Reads the launch and everything about the wallet in one call, and checks that the caller owns the agent, if there
 * is one.
 */
export async function openBuilder(
  parts: BuilderParts,
  request: TraderRequest,
  /** Identifies the request. An equal request gets a newer blockhash, because the caller wants a second transaction. */
  description: readonly unknown[],
): Promise<Opened> {
  const { trader, named } = traderOf(request)
  const { genesis, wallet, payer, agent, priorityFee, payerMax } = request
  const [reading, recent] = await Promise.all([
    readFor(parts, request, shape => [...named(shape), ...positionAccounts(trader)(shape)]),
    parts.blockhash.latestFor([...description, genesis, wallet, payer, agent, priorityFee].join(' ')),
  ])
  const acting = assertOwned(reading, request)
  const funds = { ...fundsOf(reading, request), agent: acting, payerMax }
  return { ...toPosition(reading, trader), funds, recent }
}

/**
 * Builds the transactions, checks what they cost the payer and the balances, and simulates the first. `cost` is what
 * the payer spends now.
 */
export async function finish(
  { rpc }: Pick<BuilderParts, 'rpc'>,
  { reading, funds, recent }: { reading: MarketReading; funds: Opened['funds']; recent: Blockhash },
  groups: readonly StepGroup[],
  moved: Pick<Spending, 'pays' | 'receives' | 'returned'>,
): Promise<{ transactions: string[]; costs: Costs; cost: bigint }> {
  const steps = groups.flatMap(group => group.steps)
  assertKept(reading, funds.trader, steps)
  const packed = packGroups(groups, funds, recent.blockhash)
  const transactions = packed.map(({ tx }) => tx)
  const costs = payerCostsOf(reading, funds.payer, packed)
  assertWithin(costs, funds.payerMax)
  const cost = checkBalances(reading, { ...funds, ...moved, costs })
  // The others depend on the first, so they can't be simulated before it has landed.
  assertSucceeds(await rpc.simulate(transactions[0] as string), 'TRANSACTION_WOULD_FAIL')
  return { transactions, costs: describeCosts(costs), cost }
}
