import type { Network, RewardBucket, Slipway } from '@slipway/client'
import { isOfKind } from '@slipway/launch-model/call'
import { claimFromCurve, claimFromPool } from '@slipway/launch-model/calls/claims'
import { closeTokenAccount } from '@slipway/launch-model/calls/tokens'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { BuiltAction, Group, Income } from '../../actions/action.ts'
import { NATIVE_DECIMALS } from '../../lib/format.ts'
import { decodeBase64 } from '../../lib/rpc.ts'
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
  const to = payer === wallet ? undefined : wallet
  const payouts = transactions.map(transaction => readPayout(transaction, buckets))
  return {
    transactions,
    subjects: payouts.map(({ address }) => address),
    groups: payouts.map(payout => describeGroup(payout, payouts, to, nameOf)),
    ...describeIncome(payouts, to),
    wrapped: payouts.filter(({ isWrapped }) => isWrapped).length,
    blockhash: claim.blockhash ?? NO_BLOCKHASH,
    intent: { kind: 'claim', wallet },
  }
}

/** A response with transactions always has a blockhash. */
const NO_BLOCKHASH = { blockhash: '', lastValidBlockHeight: 0 }

/** A claim from one bucket. The addresses are from its bytes. */
interface Payout {
  genesis: string
  address: string
  quoteMint: string
  /** Undefined for one that is newer than the page. */
  bucket: RewardBucket | undefined
  /** The service doesn't unwrap what arrives in an account that another key may spend from or close. */
  isWrapped: boolean
}

function readPayout(transaction: string, buckets: readonly RewardBucket[]): Payout {
  const { instructions } = decodeTransaction(decodeBase64(transaction))
  const claim = instructions.findLast(one => isOfKind(claimFromPool, one) || isOfKind(claimFromCurve, one))
  // Without a claim, the transaction is refused later.
  const [genesis = '', address = '', , quoteMint = '']: readonly string[] = claim?.accounts ?? []
  return {
    ...{ genesis, address, quoteMint },
    bucket: buckets.find(bucket => bucket.address === address),
    isWrapped:
      quoteMint === WRAPPED_NATIVE_MINT && !instructions.some(one => isOfKind(closeTokenAccount, one)),
  }
}

const sumOf = (payouts: readonly Payout[]): bigint =>
  payouts.reduce((total, { bucket }) => total + BigInt(bucket?.claimable ?? 0), 0n)

/** A launch that has graduated pays from its curve and from its pool, in two transactions. */
function describeGroup(
  { genesis }: Payout,
  payouts: readonly Payout[],
  to: string | undefined,
  nameOf: (genesisAddress: string) => string,
): Group {
  const ofLaunch = payouts.filter(one => one.genesis === genesis)
  return { key: genesis, name: nameOf(genesis), ...describeIncome(ofLaunch, to) }
}

/** The sum, if it is known and in SOL. The decimals of other tokens are not known here. */
function describeIncome(payouts: readonly Payout[], to: string | undefined): { income?: Income[] } {
  if (!payouts.every(({ bucket, quoteMint }) => bucket && quoteMint === WRAPPED_NATIVE_MINT)) return {}
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
