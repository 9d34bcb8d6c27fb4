import { type BuiltDeposit, formatAmount } from '@slipway/client'
import { grossForNet } from '@slipway/launch-model/fees'
import type { Preset } from '../../../components/amount-field.tsx'
import { formatExactly } from '../../../lib/format.ts'
import { findUnitsFault } from '../../../lib/parse-units.ts'
import type { DepositMax } from '../read-terms.ts'

/** Left for fees and rent when everything is paid, with room to spare. */
const SPARE_LAMPORTS = 10_000_000n

export const PAY_PRESETS: readonly Preset[] = ['0.1', '0.5', '1'].map(amount => ({ text: amount, amount }))

/** All that a wallet can pay; undefined if it has too little, or if that is not known. */
export function payableOf(funds: string | undefined): bigint | undefined {
  const payable = BigInt(funds ?? 0) - SPARE_LAMPORTS
  return payable > 0n ? payable : undefined
}

/** The most that the launch's limits leave room for, with the fee; undefined without limits. */
export function roomIn(limits: DepositMax | undefined, deposited = '0'): bigint | undefined {
  const { perWallet, perDeposit, fee } = limits ?? {}
  const rooms = [
    ...(perWallet === undefined ? [] : [BigInt(perWallet) - BigInt(deposited)]),
    ...(perDeposit === undefined ? [] : [BigInt(perDeposit)]),
  ]
  if (rooms.length === 0 || !fee) return undefined
  const net = rooms.reduce(smaller)
  return net > 0n ? grossForNet(net, [{ type: fee.type, amount: BigInt(fee.amount) }]) : 0n
}

/** Parts of what is held. */
export function partPresets(held: string | undefined, decimals: number): Preset[] {
  const whole = BigInt(held ?? 0)
  if (whole === 0n) return []
  return [25n, 50n, 100n].map(percent => ({
    text: percent === 100n ? 'Max' : `${percent}%`,
    amount: formatAmount((whole * percent) / 100n, decimals),
  }))
}

/** The most that a deposit may cost. A penalty can grow while it is on its way, by a hundredth of the amount at most. */
export const mostOf = ({ paid, penalty }: Pick<BuiltDeposit['cost'], 'paid' | 'penalty'>): bigint =>
  BigInt(paid) + (penalty === '0' ? 0n : (BigInt(paid) - BigInt(penalty)) / 100n)

type DepositPreview = Partial<Pick<BuiltDeposit, 'cost' | 'partial'>>

/**
 * The most that can be deposited with `funds`: less if the launch leaves less room, if a presale has not so much left, or if a penalty
 * comes on top. The service says so. If it doesn't answer, all of it.
 */
export async function findMostToDeposit(
  funds: bigint,
  previewOf: (units: bigint) => Promise<DepositPreview>,
  room = funds,
): Promise<bigint> {
  const most = smaller(funds, room)
  // With a penalty on top, the wallet can't pay for all of it. Half leaves room, but may be refused as too small.
  for (const units of [most, most / 2n]) {
    const { cost, partial } = await previewOf(units).catch((): DepositPreview => ({}))
    if (!cost) continue
    const costs = mostOf(cost)
    if (costs < units) return partial ? costs : most
    return smaller(most, (funds * units) / costs)
  }
  return most
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

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
