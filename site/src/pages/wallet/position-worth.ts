import { formatAmount } from '@slipway/client'
import type { KnownFigures } from '../../lib/launches.ts'
import type { Position } from '../../lib/wallets.ts'

/** What a position would bring at the current price, in the smallest unit. Undefined if there is no price for it. */
export function findWorth(position: Position, activity: KnownFigures | undefined): bigint | undefined {
  const { launch, deposited, refundable, proceeds, balance, claimable, quoteDecimals, baseDecimals } =
    position
  const due = BigInt(refundable) + BigInt(proceeds)
  const tokens = BigInt(balance) + BigInt(claimable)
  if (tokens === 0n) {
    if (due > 0n) return due
    // With the graduation, deposits have become tokens.
    return deposited === '0' || launch.graduatedAt !== null ? undefined : BigInt(deposited)
  }
  const price = Number(activity?.endedAt === null ? (activity.current?.price ?? 0) : 0)
  if (!(price > 0)) return undefined
  const whole = Number(formatAmount(tokens, baseDecimals)) * price
  return BigInt(Math.round(whole * 10 ** quoteDecimals)) + due
}

/** What can be done with a position now; undefined if nothing can. */
export function findNextStep({
  refundable,
  claimable,
  proceeds,
  deposited,
  balance,
  actions,
}: Position): string | undefined {
  const can = (action: string) => actions.includes(action)
  if (refundable !== '0') return 'Get a refund'
  if (claimable !== '0' || proceeds !== '0' || can('claim')) return 'Claim'
  if (can('sell') && balance !== '0') return can('buy') ? 'Buy or sell' : 'Sell'
  if (can('withdraw') && deposited !== '0') return can('deposit') ? 'Deposit or withdraw' : 'Withdraw'
  if (can('deposit')) return 'Deposit more'
  return can('buy') ? 'Buy' : undefined
}
