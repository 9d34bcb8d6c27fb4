import type { Network, RewardBucket, Slipway } from '@slipway/client'
import { isOfKind } from '@slipway/launch-model/call'
import { closeTokenAccount } from '@slipway/launch-model/calls/tokens'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { BuiltAction } from '../../actions/action.ts'
import { decodeBase64 } from '../../lib/base64.ts'
import { formatExactly, quoteSymbol } from '../../lib/format.ts'
import { decodeTransaction } from '../../transactions/decode-transaction.ts'

export interface BuiltClaim extends BuiltAction {
  /** How many of the transactions pay in wrapped SOL. */
  wrapped: number
}

/** The largest claims of a wallet, each with the bucket that it claims from. */
export async function buildClaim(
  slipway: Pick<Slipway, 'rewards'>,
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
): Promise<BuiltClaim> {
  const claim = await slipway.rewards.claim(
    // Only the wallet itself can sign for unwrapping.
    { wallet, network, ...(payer === wallet ? { unwrap: true } : { payer }) },
    { signal },
  )
  const transactions = claim.transactions.slice(0, max)
  const payouts = transactions.map(transaction => readPayout(transaction, buckets))
  return {
    transactions,
    subjects: payouts.map(({ bucket }) => bucket?.address ?? ''),
    ...describeIncome(payouts),
    wrapped: payouts.filter(({ isWrapped }) => isWrapped).length,
    blockhash: claim.blockhash ?? NO_BLOCKHASH,
    intent: { kind: 'claim', wallet },
  }
}

/** A response with transactions always has a blockhash. */
const NO_BLOCKHASH = { blockhash: '', lastValidBlockHeight: 0 }

interface Payout {
  /** A transaction names one bucket. Undefined for one that is newer than the page. */
  bucket: RewardBucket | undefined
  /** The service doesn't unwrap what arrives in an account that another key may spend from or close. */
  isWrapped: boolean
}

function readPayout(transaction: string, buckets: readonly RewardBucket[]): Payout {
  const { instructions } = decodeTransaction(decodeBase64(transaction))
  const accounts: string[] = instructions.flatMap(instruction => instruction.accounts)
  return {
    bucket: buckets.find(({ address }) => accounts.includes(address)),
    isWrapped:
      accounts.includes(WRAPPED_NATIVE_MINT) && !instructions.some(one => isOfKind(closeTokenAccount, one)),
  }
}

const NATIVE_DECIMALS = 9

/** The sum, if it is in SOL. The decimals of other tokens are not known here. */
function describeIncome(payouts: readonly Payout[]): { income?: string } {
  if (payouts.some(({ bucket }) => !bucket || quoteSymbol(bucket.quoteMint) !== 'SOL')) return {}
  const parts = [false, true].flatMap(isWrapped => {
    const paid = payouts.filter(payout => payout.isWrapped === isWrapped)
    const sum = paid.reduce((total, { bucket }) => total + BigInt(bucket?.claimable ?? 0), 0n)
    return paid.length > 0
      ? `${formatExactly(sum, NATIVE_DECIMALS)} ${isWrapped ? 'wrapped SOL' : 'SOL'}`
      : []
  })
  return parts.length > 0 ? { income: parts.join(' and ') } : {}
}
