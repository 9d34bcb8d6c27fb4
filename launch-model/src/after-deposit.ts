import type { DepositCost } from './deposits.ts'
import type { Deposit } from './kinds/bucket-kind.ts'
import { kindOf } from './kinds/kinds.ts'
import type { PlacedBucket, PositionAccounts } from './position-accounts.ts'

/** How the launch will be once this deposit has been made. */
export function afterDeposit(
  accounts: PositionAccounts,
  bucket: PlacedBucket,
  { credited, weighted }: Pick<DepositCost, 'credited' | 'weighted'>,
): PositionAccounts {
  const before = accounts.deposits.get(bucket.address)
  const deposit: Deposit = before ?? {
    ...NEW_DEPOSIT,
    key: kindOf(bucket.kind).deposits?.key ?? 0,
    owner: accounts.wallet,
    bucket: bucket.address,
  }
  return withDeposit(accounts, bucket, credited, weighted, {
    ...deposit,
    timestamp: BigInt(accounts.nowSeconds),
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
export function afterWithdrawal(
  accounts: PositionAccounts,
  bucket: PlacedBucket,
  amount: bigint,
): PositionAccounts {
  const deposit = accounts.deposits.get(bucket.address)
  if (!deposit) return accounts
  const weighted = ((deposit.weighted ?? 0n) * amount) / deposit.amount
  const rest = {
    ...deposit,
    amount: deposit.amount - amount,
    weighted: (deposit.weighted ?? 0n) - weighted,
  }
  return withDeposit(accounts, bucket, -amount, -weighted, rest.amount > 0n ? rest : undefined)
}

function withDeposit(
  accounts: PositionAccounts,
  bucket: PlacedBucket,
  amount: bigint,
  weighted: bigint,
  deposit: Deposit | undefined,
): PositionAccounts {
  const deposits = new Map(accounts.deposits)
  if (deposit) deposits.set(bucket.address, deposit)
  else deposits.delete(bucket.address)
  const buckets = accounts.buckets.map(one => {
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
  return { ...accounts, buckets, deposits }
}
