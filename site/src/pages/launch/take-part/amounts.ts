import { type BuiltDeposit, formatAmount } from '@slipway/client'
import { formatExactly } from '../../../lib/format.ts'
import { findUnitsFault } from '../../../lib/parse-units.ts'

/** Left for fees and rent when everything is paid: about three token accounts, with room to spare. */
const SPARE_LAMPORTS = 10_000_000n

export interface Preset {
  text: string
  amount: string
  isMost?: boolean
}

/** Round amounts, and all that can be paid. */
export function payPresets(funds: string | undefined, decimals: number): Preset[] {
  const round = ['0.1', '0.5', '1'].map(amount => ({ text: amount, amount }))
  const most = BigInt(funds ?? 0) - SPARE_LAMPORTS
  return most > 0n ? [...round, { text: 'Max', amount: formatAmount(most, decimals), isMost: true }] : round
}

/** Parts of what is held. */
export function partPresets(held: string | undefined, decimals: number): Preset[] {
  const whole = BigInt(held ?? 0)
  if (whole === 0n) return []
  return [25n, 50n, 100n].map(percent => ({
    text: `${percent}%`,
    amount: formatAmount((whole * percent) / 100n, decimals),
  }))
}

/** The most that a deposit may cost. A penalty can grow while it is on its way, by a hundredth of the amount at most. */
export const mostOf = (
  { paid, penalty }: Pick<BuiltDeposit['cost'], 'paid' | 'penalty'>,
  amount: bigint,
): bigint => BigInt(paid) + (penalty === '0' ? 0n : amount / 100n)

/**
 * The most that can be deposited with `funds`, if that is less because a penalty comes on top. How high it is, the service
 * says. Undefined if there is none, or it can't be known.
 */
export async function leaveRoomForPenalty(
  funds: bigint,
  penaltyOf: (units: bigint) => Promise<bigint>,
): Promise<bigint | undefined> {
  // Half leaves room for the penalty, but may be refused as too small.
  for (const units of [funds / 2n, funds]) {
    const penalty = await penaltyOf(units).catch(() => undefined)
    if (penalty === 0n) return undefined
    if (penalty !== undefined)
      return (funds * units) / mostOf({ paid: `${units + penalty}`, penalty: `${penalty}` }, units)
  }
  return undefined
}

/** What is wrong with a typed amount. An empty one is a fault only once the form is submitted. */
export function findFault({
  text,
  units,
  decimals,
  most,
  symbol,
  isSubmitted,
}: {
  text: string
  units: bigint | undefined
  decimals: number
  /** What the wallet has, as far as that is known. */
  most: string | undefined
  symbol: string
  isSubmitted: boolean
}): string | undefined {
  if (text.trim() === '') return isSubmitted ? 'Enter an amount.' : undefined
  if (units === undefined) return findUnitsFault(text, decimals)
  if (most !== undefined && units > BigInt(most))
    return `You have only ${formatExactly(most, decimals)} ${symbol}.`
  return undefined
}
