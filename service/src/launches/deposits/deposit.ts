import { afterDeposit } from '@slipway/launch-model/after-deposit'
import { type DepositCost, refuseDeposit } from '@slipway/launch-model/deposits'
import type { Deposits } from '@slipway/launch-model/kinds/bucket-kind'
import { kindOf } from '@slipway/launch-model/kinds/kinds'
import { planDeposit, planTrigger, together } from '@slipway/launch-model/plan-deposit'
import { resolvePosition } from '@slipway/launch-model/position'
import type { PlacedBucket } from '@slipway/launch-model/position-accounts'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { untilExpiry } from '@slipway/launch-model/until-expiry'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { lamportsAt } from '../trading/check-balances.ts'
import type { BuilderParts } from '../trading/swap.ts'
import type { TraderRequest } from '../trading/trader.ts'
import { buildPosition } from './build-position.ts'
import { finish, openBuilder } from './builder.ts'
import { assertUnrestricted, formatAmount, limitRefusal, refusal } from './refuse.ts'

export interface DepositRequest extends TraderRequest {
  amount: bigint
  /** The most that the deposit may cost, penalty included. */
  maxCost?: bigint | undefined
}

/** Reads the chain and builds the transaction that deposits. Refuses a deposit that would fail. */
export async function buildDeposit(parts: BuilderParts, request: DepositRequest) {
  const { amount, maxCost } = request
  const opened = await openBuilder(parts, request, ['deposit', amount, maxCost])
  const { reading, position, funds, recent } = opened
  const { shape, others } = reading
  assertUnrestricted(shape)
  if (position.refusals.deposit || !position.primary || !position.recorded)
    throw refusal(position.refusals.deposit ?? 'TRADES')
  const deposits = kindOf(position.primary.kind).deposits as unknown as Deposits<PlacedBucket>
  const now = BigInt(position.nowSeconds)
  // A trigger that this transaction sends also begins a penalty or a bonus that is due.
  const [asItIs, recorded] = [
    deposits.cost(position.primary, amount, now),
    deposits.cost(position.recorded, amount, now),
  ]
  const trigger = position.needsTrigger || earnsMore(recorded, asItIs) ? position.trigger : undefined
  const [primary, cost] = trigger ? [position.recorded, recorded] : [position.primary, asItIs]
  if (cost.credited <= 0n) throw new ServiceError('AMOUNT_TOO_SMALL')
  const limit = refuseDeposit(deposits.limits(primary, now), position.deposit, cost.credited, now)
  if (limit) throw limitRefusal(limit, shape)
  if (maxCost !== undefined && cost.paid > maxCost)
    throw tooExpensive(`costs ${formatAmount(cost.paid, shape.quote)}`, maxCost, shape.quote)

  // A penalty can change until the transaction lands, or begin because someone triggers it.
  const worst = untilExpiry(position, primary, parts.rpc.slotMsMost())
    .map(moment => deposits.cost(moment.bucket, amount, moment.now).paid)
    .reduce((a, b) => (a > b ? a : b), cost.paid)
  const isNative = shape.quote.mint === WRAPPED_NATIVE_MINT
  // The deposit can spend everything in an account that this transaction can't empty first.
  const isLimited = isNative && !funds.holds.quote?.isDelegated
  if (maxCost !== undefined && worst > maxCost && !isLimited)
    throw tooExpensive(`can cost up to ${formatAmount(worst, shape.quote)}`, maxCost, shape.quote)
  const wraps = isNative
    ? chooseWrapped({ paid: cost.paid, worst, maxCost, has: lamportsAt(others.get(funds.trader)) })
    : cost.paid
  const bucket = { kind: primary.kind, address: primary.address as Address }
  const group = together([
    ...(trigger ? [planTrigger(funds, trigger)] : []),
    planDeposit(funds, bucket, { amount, wraps }),
  ])
  const { transactions, costs } = await finish(parts, { reading, funds, recent }, [group], {
    pays: { token: 'quote', amount: wraps },
  })
  const buckets = position.buckets.map(one => (one.address === primary.address ? primary : one))
  const after = afterDeposit({ ...position, buckets }, primary, cost)
  return {
    tx: transactions[0] as string,
    blockhash: recent,
    costs,
    cost: {
      paid: `${cost.paid}`,
      fee: `${cost.fee}`,
      penalty: `${cost.penalty}`,
      credited: `${cost.credited}`,
    },
    partial: cost.partial,
    position: buildPosition({ reading, position: resolvePosition(after) }),
    quoteDecimals: shape.quote.decimals,
    baseDecimals: shape.base.decimals,
  }
}

/** Whether a deposit counts for more if what is due is recorded first, and costs no more. */
const earnsMore = (recorded: DepositCost, asItIs: DepositCost) =>
  recorded.weighted > asItIs.weighted && recorded.paid <= asItIs.paid

const tooExpensive = (costs: string, maxCost: bigint, quote: Parameters<typeof formatAmount>[1]) =>
  new ServiceError('ABOVE_MAX_COST', {
    details: [{ path: ['maxCost'], message: `is ${formatAmount(maxCost, quote)}, but the deposit ${costs}` }],
  })

/** Left unwrapped for fees and rent, so that wrapping more than the present cost doesn't make a deposit fail. */
const SPARE_LAMPORTS = 20_000_000n

/** The amount to wrap. The transaction unwraps what the deposit doesn't cost. */
export function chooseWrapped({
  paid,
  worst,
  maxCost = worst,
  has,
}: {
  paid: bigint
  worst: bigint
  maxCost: bigint | undefined
  has: bigint
}): bigint {
  const most = worst < maxCost ? worst : maxCost
  return has >= most + SPARE_LAMPORTS ? most : paid
}
