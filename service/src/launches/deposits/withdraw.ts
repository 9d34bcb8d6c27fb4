import { depositAddress } from '@slipway/launch-model/addresses'
import { afterWithdrawal } from '@slipway/launch-model/after-deposit'
import type { Deposits } from '@slipway/launch-model/kinds/bucket-kind'
import { kindOf } from '@slipway/launch-model/kinds/kinds'
import { planWithdrawal } from '@slipway/launch-model/plan-deposit'
import { resolvePosition } from '@slipway/launch-model/position'
import type { PlacedBucket } from '@slipway/launch-model/position-accounts'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { untilExpiry } from '@slipway/launch-model/until-expiry'
import { ServiceError } from '@slipway/schema/errors'
import { insufficient, lamportsAt } from '../trading/check-balances.ts'
import type { BuilderParts } from '../trading/swap.ts'
import type { TraderRequest } from '../trading/trader.ts'
import { buildPosition } from './build-position.ts'
import { finish, openBuilder } from './builder.ts'
import { formatAmount, refusal } from './refuse.ts'

export interface WithdrawRequest extends TraderRequest {
  /** The amount that leaves the deposit, before fee and penalty. */
  amount: bigint | 'all'
}

/** Builds the transaction that withdraws a deposit or a part of it, and unwraps what arrives. */
export async function buildWithdrawal(parts: BuilderParts, request: WithdrawRequest) {
  const opened = await openBuilder(parts, request, ['withdraw', request.amount])
  const { reading, position, funds, recent } = opened
  const { shape, others } = reading
  const { primary, deposit } = position
  if (position.refusals.withdraw || !primary) throw refusal(position.refusals.withdraw ?? 'TRADES')
  if (!deposit) throw new ServiceError('NOTHING_TO_WITHDRAW')
  const amount = request.amount === 'all' ? deposit.amount : request.amount
  const { quote, base } = shape
  if (amount > deposit.amount)
    throw insufficient('amount', formatAmount(deposit.amount, quote), formatAmount(amount, quote))
  const deposits = kindOf(primary.kind).deposits as unknown as Deposits<PlacedBucket>
  const paid = deposits.paidOut?.(primary, amount, BigInt(position.nowSeconds))
  if (!paid) throw refusal('NO_WITHDRAWALS')
  // A penalty can grow until the transaction lands, or begin because someone triggers it.
  const least = untilExpiry(position, primary, parts.rpc.slotMsMost())
    .map(moment => deposits.paidOut?.(moment.bucket, amount, moment.now).receives ?? 0n)
    .reduce((a, b) => (a < b ? a : b), paid.receives)
  const staysWrapped = funds.holds.quote?.isDelegated === true
  const isNative = quote.mint === WRAPPED_NATIVE_MINT && !staysWrapped
  const { transactions, costs } = await finish(
    parts,
    { reading, funds, recent },
    [planWithdrawal(funds, { kind: primary.kind, address: primary.address }, amount)],
    {
      receives: isNative ? paid.receives : 0n,
      // An account holds the rent of the time when it was opened.
      returned:
        amount === deposit.amount
          ? lamportsAt(others.get(depositAddress(primary.kind, primary.address, funds.trader)))
          : 0n,
    },
  )
  const after = afterWithdrawal(position, primary, amount)
  return {
    tx: transactions[0] as string,
    blockhash: recent,
    costs,
    receives: `${paid.receives}`,
    receivesAtLeast: `${least}`,
    position: buildPosition({ reading, position: resolvePosition(after) }),
    quoteDecimals: quote.decimals,
    baseDecimals: base.decimals,
  }
}
