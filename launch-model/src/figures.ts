import type { Bucket } from './bucket.ts'
import { type Ratio, ratio, type SaleFigures } from './kinds/bucket-kind.ts'
import { kindOf } from './kinds/kinds.ts'
import { hasPool } from './launch-times.ts'

/** The reserves in the pool of a graduated launch, in the smallest units. */
export interface PoolReserves {
  quote: bigint
  base: bigint
  /** Quote tokens that the pool still holds for the creator. */
  creatorFees: bigint
}

interface LaunchFigures extends SaleFigures {
  /** Quote tokens that have accrued to the creator. */
  creatorFees: bigint | undefined
}

/**
 * The figures of a launch whose sale is `primary`. Every bucket of the launch can pay its creator; once there is a
 * pool, it sets the price. Until the pool has been read, the price is unknown: it is no longer that of the sale.
 */
export function computeFigures(
  primary: Bucket,
  buckets: readonly Bucket[],
  pool?: PoolReserves,
): LaunchFigures {
  const figures = kindOf(primary.kind).sale?.figures(primary as never)
  if (!figures) throw new RangeError(`buckets of the kind ${primary.kind} sell nothing`)
  const fees = buckets.flatMap(({ creatorFee }) => creatorFee?.accrued ?? [])
  const salePrice = buckets.some(hasPool) ? undefined : figures.price
  const price: Ratio | undefined = pool ? ratio(pool.quote, pool.base) : salePrice
  return {
    ...figures,
    price,
    creatorFees:
      fees.length === 0 ? undefined : fees.reduce((sum, accrued) => sum + accrued, pool?.creatorFees ?? 0n),
  }
}

/** The goal of a sale in quote tokens, if it has one. */
export const findGoal = (bucket: Bucket): bigint | undefined =>
  kindOf(bucket.kind).sale?.goal(bucket as never)
