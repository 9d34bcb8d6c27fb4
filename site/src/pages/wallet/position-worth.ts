import { formatAmount } from '@slipway/client'
import { REFUSALS } from '@slipway/launch-model/actions'
import type { KnownFigures, Standing } from '../../lib/launches.ts'
import type { Position } from '../../lib/wallets.ts'

/**
 * What a position would bring now, at the last price, in the smallest unit. Undefined if it can't be sold or withdrawn,
 * and if there is no price.
 */
export function findWorth(position: Position, activity: KnownFigures | undefined): bigint | undefined {
  const { launch, deposited, refundable, proceeds, actions, quoteDecimals, baseDecimals } = position
  const due = BigInt(refundable) + BigInt(proceeds)
  const tokens = tokensIn(position)
  if (isPriced(position)) {
    const price = Number(activity?.endedAt === null ? (activity.current?.price ?? 0) : 0)
    if (!(price > 0)) return undefined
    const whole = Number(formatAmount(tokens, baseDecimals)) * price
    return BigInt(Math.round(whole * 10 ** quoteDecimals)) + due
  }
  if (due > 0n) return due
  // With the graduation, deposits have become tokens.
  const isKept = deposited === '0' || launch.graduatedAt !== null || !actions.includes('withdraw')
  return isKept ? undefined : BigInt(deposited)
}

/** Whether its worth depends on a price. */
export const isPriced = (position: Position): boolean =>
  tokensIn(position) > 0n && position.actions.includes('sell')

export const tokensIn = ({ balance, claimable }: Position): bigint => BigInt(balance) + BigInt(claimable)

/** What a position that brings nothing now is waiting for; undefined if it is not known to wait. */
export function findHindrance(position: Position, standing: Standing): string | undefined {
  const { deposited, refundable, claimed, actions, sellRefusal, launch } = position
  if (refundable !== '0') return undefined
  if (tokensIn(position) > 0n) {
    if (actions.includes('sell') || sellRefusal === null) return undefined
    if (sellRefusal === REFUSALS.TAKES_DEPOSITS) return 'No pool to sell them in'
    return sellRefusal === REFUSALS.SOLD_OUT ? 'Waits for graduation' : sellRefusal
  }
  if (deposited === '0' || claimed !== '0' || launch.graduatedAt !== null) return undefined
  if (standing === 'closed') return 'Waits for graduation'
  return actions.includes('withdraw') || standing !== 'live' ? undefined : 'Locked until the sale ends'
}

/** What the wallet can collect now; undefined if it is owed nothing. */
export function findCollection({
  refundable,
  claimable,
  proceeds,
  actions,
}: Position): 'Get a refund' | 'Claim' | undefined {
  if (refundable !== '0') return 'Get a refund'
  return claimable !== '0' || proceeds !== '0' || actions.includes('claim') ? 'Claim' : undefined
}
