import type { Network, RewardBucket, Slipway } from '@slipway/client'
import type { BuiltAction } from '../../actions/action.ts'
import { decodeBase64 } from '../../lib/base64.ts'
import { formatExactly, quoteSymbol } from '../../lib/format.ts'
import { decodeTransaction } from '../../transactions/decode-transaction.ts'

/** The largest claims of a wallet, each with the bucket that it claims from. */
export async function buildClaim(
  slipway: Slipway,
  {
    wallet,
    payer,
    network,
    buckets,
    max,
  }: {
    wallet: string
    payer: string | undefined
    network: Network
    buckets: readonly RewardBucket[]
    max: number
  },
  signal: AbortSignal,
): Promise<BuiltAction> {
  // Only the wallet itself can sign for SOL that is not wrapped.
  const isOwn = payer === wallet
  const claim = await slipway.rewards.claim(
    { wallet, network, ...(isOwn ? { unwrap: true } : { payer }) },
    { signal },
  )
  const transactions = claim.transactions.slice(0, max)
  const found = transactions.map(transaction => findBucket(transaction, buckets))
  return {
    transactions,
    subjects: found.map(bucket => bucket?.address ?? ''),
    ...describeIncome(found, isOwn),
    blockhash: claim.blockhash ?? NO_BLOCKHASH,
    intent: { kind: 'claim', wallet },
  }
}

/** There is one whenever there are transactions. */
const NO_BLOCKHASH = { blockhash: '', lastValidBlockHeight: 0 }

/** A transaction names one bucket. Undefined for one that is newer than the page. */
function findBucket(transaction: string, buckets: readonly RewardBucket[]): RewardBucket | undefined {
  const wire = decodeBase64(transaction)
  const accounts: string[] = decodeTransaction(wire).instructions.flatMap(instruction => instruction.accounts)
  return buckets.find(({ address }) => accounts.includes(address))
}

const NATIVE_DECIMALS = 9

/** The sum, if it is in SOL. Of other tokens, the decimals are not known here. */
function describeIncome(claimed: readonly (RewardBucket | undefined)[], isOwn: boolean): { income?: string } {
  if (claimed.some(bucket => !bucket || quoteSymbol(bucket.quoteMint) !== 'SOL')) return {}
  const sum = claimed.reduce((total, bucket) => total + BigInt(bucket?.claimable ?? 0), 0n)
  return { income: `${formatExactly(sum, NATIVE_DECIMALS)} ${isOwn ? 'SOL' : 'wrapped SOL'}` }
}
