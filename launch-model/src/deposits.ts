import { address, bool, type Decoded, i64, reserved, struct, u8, u32, u64 } from './bytes/codec.ts'
import { type Fee, feeOn, grossForNet, percentage } from './fees.ts'
import type { Schedule } from './kinds/bucket-parts.ts'

const HEAD = { key: u8, bump: u8, claimed: bool } as const
const BODY = {
  index: u32,
  amountClaimed: u64,
  owner: address,
  bucket: address,
  timestamp: i64,
  /** Quote tokens without fees, less withdrawals. */
  amount: u64,
} as const
export const presaleDepositLayout = struct({ ...HEAD, _padding: reserved(1), ...BODY })
export const poolDepositLayout = struct({
  ...HEAD,
  refunded: bool,
  ...BODY,
  /** With the bonus of early deposits. It decides the share of the tokens. */
  weighted: u64,
})
export type PoolDeposit = Decoded<typeof poolDepositLayout>
export type PresaleDeposit = Decoded<typeof presaleDepositLayout>

const BPS = 10_000n

/** The basis points of a schedule at a time: 0 before its condition is recorded as met, and after its end. */
export function scheduledBps(schedule: Schedule | undefined, now: bigint): bigint {
  const start = schedule?.start.triggeredTimestamp
  if (!schedule || start === undefined || now < start || now > start + schedule.duration) return 0n
  const timeBps = schedule.duration === 0n ? 0n : ((now - start) * BPS) / schedule.duration
  const bps = schedule.interceptBps + (schedule.slopeBps * timeBps) / BPS
  if (bps > schedule.maxBps) return schedule.maxBps
  return bps < 0n ? 0n : bps
}

/** What a deposit costs, and how much of it counts. All amounts are quote tokens. */
export interface DepositCost {
  /** Everything that leaves the wallet. */
  paid: bigint
  fee: bigint
  penalty: bigint
  /** The increase of the deposit. */
  credited: bigint
  /** The increase of its weight. */
  weighted: bigint
  /** Whether there is room only for a part of the amount. */
  partial: boolean
}

interface PoolTerms {
  depositFeeType: number
  depositFee: bigint
  withdrawFeeType: number
  withdrawFee: bigint
  extensions: {
    depositPenalty?: Schedule | undefined
    withdrawPenalty?: Schedule | undefined
    bonusSchedule?: Schedule | undefined
  }
}

/** The fee comes out of the amount, and a penalty on top of it. */
export function costInPool(pool: PoolTerms, amount: bigint, now: bigint): DepositCost {
  const fee = feeOn(amount, { type: pool.depositFeeType, amount: pool.depositFee })
  const credited = amount - fee
  const penalty = percentage(credited, scheduledBps(pool.extensions.depositPenalty, now))
  const bonus = percentage(credited, scheduledBps(pool.extensions.bonusSchedule, now))
  return { paid: amount + penalty, fee, penalty, credited, weighted: credited + bonus, partial: false }
}

/** What is paid out of a withdrawn amount: first the fee is taken, then the penalty on the rest. */
export function paidOutOfPool(
  pool: PoolTerms,
  amount: bigint,
  now: bigint,
): { fee: bigint; penalty: bigint; receives: bigint } {
  const fee = feeOn(amount, { type: pool.withdrawFeeType, amount: pool.withdrawFee })
  const penalty = percentage(amount - fee, scheduledBps(pool.extensions.withdrawPenalty, now))
  return { fee, penalty, receives: amount - fee - penalty }
}

interface PresaleTerms {
  depositFeeType: number
  depositFee: bigint
  allocationQuoteTokenCap: bigint
  quoteTokenDepositTotal: bigint
}

/** A deposit that is more than the cap has room for is filled partly. */
export function costInPresale(sale: PresaleTerms, amount: bigint): DepositCost {
  const fee: Fee = { type: sale.depositFeeType, amount: sale.depositFee }
  const whole = amount - feeOn(amount, fee)
  const room = sale.allocationQuoteTokenCap - sale.quoteTokenDepositTotal
  const partial = whole > room
  const credited = partial ? room : whole
  const paid = partial ? grossForNet(room, [fee]) : amount
  return { paid, fee: paid - credited, penalty: 0n, credited, weighted: credited, partial }
}

/** The base tokens that a deposit is entitled to if the pool ended now. */
export const entitledInPool = (
  pool: { baseTokenAllocation: bigint; weightedQuoteTokenTotal: bigint },
  deposit: { weighted: bigint },
): bigint =>
  pool.weightedQuoteTokenTotal === 0n
    ? 0n
    : (pool.baseTokenAllocation * deposit.weighted) / pool.weightedQuoteTokenTotal

/** The base tokens that a deposit has bought. */
export const entitledInPresale = (
  sale: { baseTokenAllocation: bigint; allocationQuoteTokenCap: bigint },
  deposit: { amount: bigint },
): bigint =>
  sale.allocationQuoteTokenCap === 0n
    ? 0n
    : (sale.baseTokenAllocation * deposit.amount) / sale.allocationQuoteTokenCap

/** The limits of a wallet's deposit in a bucket. Amounts are without fees. */
export interface DepositLimits {
  /** The minimum and maximum for all deposits of the wallet together. */
  minimum?: bigint | undefined
  maximum?: bigint | undefined
  /** The maximum of one deposit, and the seconds until the next one is allowed. */
  perDeposit?: bigint | undefined
  cooldown?: bigint | undefined
}

/** Why the program would refuse a deposit, and the limit: an amount or, for `COOLDOWN`, seconds. */
export interface LimitRefusal {
  code: 'BELOW_MINIMUM' | 'ABOVE_LIMIT' | 'ABOVE_DEPOSIT_LIMIT' | 'COOLDOWN'
  limit: bigint
}

/** Checks the limits in the program's order. */
export function refuseDeposit(
  { minimum = 0n, maximum, perDeposit, cooldown }: DepositLimits,
  before: { amount: bigint; timestamp: bigint } | undefined,
  credited: bigint,
  now: bigint,
): LimitRefusal | undefined {
  const sum = (before?.amount ?? 0n) + credited
  if (sum < minimum) return { code: 'BELOW_MINIMUM', limit: minimum }
  if (maximum !== undefined && sum > maximum) return { code: 'ABOVE_LIMIT', limit: maximum }
  const next = before && cooldown !== undefined ? before.timestamp + cooldown : now
  if (now < next) return { code: 'COOLDOWN', limit: next - now }
  if (perDeposit !== undefined && credited > perDeposit)
    return { code: 'ABOVE_DEPOSIT_LIMIT', limit: perDeposit }
  return undefined
}
