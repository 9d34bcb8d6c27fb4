import type { Mechanic } from '@slipway/schema/launch'
import type { Bucket } from './accounts/bucket.ts'
import type { PoolReserves } from './accounts/pool-state.ts'

/** How a launch is doing, from its accounts alone. Amounts are in the smallest unit; undefined where the chain is silent. */
interface LaunchFigures {
  /** Quote tokens that the sale holds for what it has sold. */
  raised: bigint
  /** Base tokens that the deposits and purchases so far are entitled to. */
  sold: bigint
  /** Base tokens that the sale offers. */
  supply: bigint
  price: Ratio | undefined
  /** Millionths of the way to the goal, the cap or sell-out, rounded down. */
  progress: number | undefined
  participants: bigint | undefined
  /** Quote tokens that have accrued to the creator. */
  creatorFees: bigint | undefined
}

/** Quote tokens per base token, both in the smallest unit and above zero. */
interface Ratio {
  quote: bigint
  base: bigint
}

/**
 * The figures of a launch whose sale is `primary`. Every bucket of the launch can pay its creator; once there is a pool,
 * it sets the price.
 */
export function computeFigures(
  primary: Bucket,
  buckets: readonly Bucket[],
  pool?: PoolReserves,
): LaunchFigures {
  const figures = FIGURES[primary.kind as Mechanic](primary)
  const fees = buckets.flatMap(({ creatorFee }) => creatorFee?.accrued ?? [])
  return {
    ...figures,
    price: pool ? ratio(pool.quote, pool.base) : figures.price,
    creatorFees:
      fees.length === 0 ? undefined : fees.reduce((sum, accrued) => sum + accrued, pool?.creatorFees ?? 0n),
  }
}

/** What a sale aims for in quote tokens: the least that it must raise, or its cap. Undefined if it has no goal. */
export function findGoal({ sale }: Bucket): bigint | undefined {
  const goal = sale?.minimumQuoteTokenThreshold ?? sale?.allocationQuoteTokenCap
  return goal === 0n ? undefined : goal
}

type SaleFigures = Omit<LaunchFigures, 'creatorFees'>

const FIGURES: Record<Mechanic, (bucket: Bucket) => SaleFigures> = {
  /** Depositors share the whole allocation, however much was deposited. */
  launchpoolV2({ baseTokenAllocation: supply, sale }) {
    const raised = sale?.quoteTokenDepositTotal ?? 0n
    return {
      raised,
      sold: raised > 0n ? supply : 0n,
      supply,
      price: ratio(raised, supply),
      progress: share(raised, sale?.minimumQuoteTokenThreshold),
      participants: sale?.depositCount,
    }
  },

  /** The cap buys the whole allocation, so the price is fixed. */
  presaleV2({ baseTokenAllocation: supply, sale }) {
    const raised = sale?.quoteTokenDepositTotal ?? 0n
    const cap = sale?.allocationQuoteTokenCap ?? 0n
    return {
      raised,
      sold: cap > 0n ? min((raised * supply) / cap, supply) : 0n,
      supply,
      price: ratio(cap, supply),
      progress: share(raised, cap),
      participants: sale?.depositCount,
    }
  },

  /** The price of the next token on the curve, without fees. */
  bondingCurveV2({ baseTokenAllocation: supply, baseTokenBalance: unsold, sale }) {
    const raised = sale?.quoteTokenDepositTotal ?? 0n
    const sold = supply > unsold ? supply - unsold : 0n
    const virtual = sale?.virtualReserves
    return {
      raised,
      sold,
      supply,
      price: virtual && ratio(virtual.quote + raised, virtual.base + unsold),
      progress: share(sold, supply),
      participants: undefined,
    }
  },
}

const ratio = (quote: bigint, base: bigint): Ratio | undefined =>
  quote > 0n && base > 0n ? { quote, base } : undefined

const MILLION = 1_000_000n

const share = (part: bigint, whole: bigint | undefined): number | undefined =>
  whole === undefined || whole === 0n ? undefined : Number((min(part, whole) * MILLION) / whole)

const min = (a: bigint, b: bigint) => (a < b ? a : b)
