import type { Network, RewardBucket, Slipway } from '@slipway/client'
import { isOfKind } from '@slipway/launch-model/call'
import { closeTokenAccount } from '@slipway/launch-model/calls/tokens'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { BuiltAction, Group, Income } from '../../actions/action.ts'
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
    nameOf,
  }: {
    wallet: string
    payer: string | undefined
    network: Network
    buckets: readonly RewardBucket[]
    max: number
    /** What to call a launch. */
    nameOf(genesisAddress: string): string
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
    groups: payouts.map(payout => describeGroup(payout, payouts, nameOf)),
    ...describeIncome(payouts, payer === wallet ? undefined : wallet),
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

const isSol = ({ bucket }: Payout): boolean => bucket !== undefined && quoteSymbol(bucket.quoteMint) === 'SOL'

const sumOf = (payouts: readonly Payout[]): bigint =>
  payouts.reduce((total, { bucket }) => total + BigInt(bucket?.claimable ?? 0), 0n)

/** A launch that has graduated pays from its curve and from its pool, in two transactions. */
function describeGroup(
  { bucket }: Payout,
  payouts: readonly Payout[],
  nameOf: (genesisAddress: string) => string,
): Group {
  if (!bucket) return { key: '', name: 'Launches that are not on this page yet' }
  const ofLaunch = payouts.filter(one => one.bucket?.genesisAddress === bucket.genesisAddress)
  return {
    key: bucket.genesisAddress,
    name: nameOf(bucket.genesisAddress),
    ...(ofLaunch.every(isSol) && { amount: `${formatExactly(sumOf(ofLaunch), NATIVE_DECIMALS)} SOL` }),
  }
}

/** The sum, if it is in SOL. The decimals of other tokens are not known here. */
function describeIncome(payouts: readonly Payout[], to: string | undefined): { income?: Income[] } {
  if (!payouts.every(isSol)) return {}
  const income = [false, true].flatMap((isWrapped): Income[] => {
    const paid = payouts.filter(payout => payout.isWrapped === isWrapped)
    if (paid.length === 0) return []
    const part = { units: sumOf(paid), decimals: NATIVE_DECIMALS, ...(to !== undefined && { to }) }
    return [
      isWrapped ? { ...part, symbol: 'wrapped SOL', mint: WRAPPED_NATIVE_MINT } : { ...part, symbol: 'SOL' },
    ]
  })
  return income.length > 0 ? { income } : {}
}
