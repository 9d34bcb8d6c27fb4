import type { DepositCost } from './deposits.ts'
import type { Deposit } from './kinds/bucket-kind.ts'
import { kindOf } from './kinds/kinds.ts'
import type { PlacedBucket, Standing } from './standing.ts'

/** How the launch will be once this deposit has been made. */
export function afterDeposit(
  standing: Standing,
  bucket: PlacedBucket,
  { credited, weighted }: Pick<DepositCost, 'credited' | 'weighted'>,
): Standing {
  const before = standing.deposits.get(bucket.address)
  const deposit: Deposit = before ?? {
    ...NEW_DEPOSIT,
    key: kindOf(bucket.kind).deposits?.key ?? 0,
    owner: standing.wallet,
    bucket: bucket.address,
  }
  return withDeposit(standing, bucket, credited, weighted, {
    ...deposit,
    timestamp: BigInt(standing.nowSeconds),
    amount: deposit.amount + credited,
    weighted: (deposit.weighted ?? 0n) + weighted,
  })
}

const NEW_DEPOSIT = {
  bump: 0,
  claimed: false,
  index: 0,
  amountClaimed: 0n,
  timestamp: 0n,
  amount: 0n,
  weighted: 0n,
}

/** How the launch will be once this amount has been withdrawn. Withdrawing everything closes the deposit. */
export function afterWithdrawal(standing: Standing, bucket: PlacedBucket, amount: bigint): Standing {
  const deposit = standing.deposits.get(bucket.address)
  if (!deposit) return standing
  const weighted = ((deposit.weighted ?? 0n) * amount) / deposit.amount
  const rest = {
    ...deposit,
    amount: deposit.amount - amount,
    weighted: (deposit.weighted ?? 0n) - weighted,
  }
  return withDeposit(standing, bucket, -amount, -weighted, rest.amount > 0n ? rest : undefined)
}

function withDeposit(
  standing: Standing,
  bucket: PlacedBucket,
  amount: bigint,
  weighted: bigint,
  deposit: Deposit | undefined,
): Standing {
  const deposits = new Map(standing.deposits)
  if (deposit) deposits.set(bucket.address, deposit)
  else deposits.delete(bucket.address)
  const buckets = standing.buckets.map(one => {
    if (one.address !== bucket.address || !('quoteTokenDepositTotal' in one)) return one
    const changed = {
      ...one,
      quoteTokenDepositTotal: one.quoteTokenDepositTotal + amount,
      quoteTokenBalance: one.quoteTokenBalance + amount,
    }
    return 'weightedQuoteTokenTotal' in changed
      ? { ...changed, weightedQuoteTokenTotal: changed.weightedQuoteTokenTotal + weighted }
      : changed
  })
  return { ...standing, buckets, deposits }
}
