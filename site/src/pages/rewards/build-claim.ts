import type { Network, Slipway } from '@slipway/client'
import type { BuiltAction } from '../../actions/action.ts'
import { decodeTransaction } from '../../transactions/decode-transaction.ts'

/** The largest claims of a wallet, each with the bucket that it claims from. */
export async function buildClaim(
  slipway: Slipway,
  {
    wallet,
    network,
    buckets,
    max,
  }: { wallet: string; network: Network; buckets: ReadonlySet<string>; max: number },
  signal: AbortSignal,
): Promise<BuiltAction> {
  const claim = await slipway.rewards.claim({ wallet, network }, { signal })
  const transactions = claim.transactions.slice(0, max)
  return {
    transactions,
    subjects: transactions.map(transaction => findBucket(transaction, buckets)),
    blockhash: claim.blockhash ?? NO_BLOCKHASH,
    intent: { kind: 'claim', wallet },
  }
}

/** There is one whenever there are transactions. */
const NO_BLOCKHASH = { blockhash: '', lastValidBlockHeight: 0 }

/** A transaction names one bucket. Empty for a bucket that is newer than the page. */
function findBucket(transaction: string, buckets: ReadonlySet<string>): string {
  const wire = Uint8Array.from(atob(transaction), character => character.charCodeAt(0))
  const accounts = decodeTransaction(wire).instructions.flatMap(instruction => instruction.accounts)
  return accounts.find(account => buckets.has(account)) ?? ''
}
