import { bucketCandidates, bucketsOfKind } from '@slipway/launch-model/addresses'
import type { Token } from '@slipway/launch-model/calls/tokens'
import { type BucketKindName, becomesPool, kindOf } from '@slipway/launch-model/kinds/kinds'
import type { Address } from '@slipway/schema/address'
import type { AccountReader, ChainAccount } from '../../chain/account-reader.ts'
import { decodeBucket, decodeUnlocked } from '../../chain/accounts/bucket.ts'
import { decodeGenesisAccount } from '../../chain/accounts/genesis-account.ts'
import { decodeMint, hasSpecialTransfers, tokenAccountBytes } from '../../chain/accounts/mint.ts'

/** One of the two tokens of a launch. */
export interface LaunchToken extends Token {
  decimals: number
  /** Whether a transfer can bring less than was sent, or be refused. */
  isRestricted: boolean
}

/** What never changes about a launch once it is finalized, so that it is read only once. */
export interface LaunchShape {
  genesis: Address
  base: LaunchToken
  quote: LaunchToken
  /** All buckets of the kinds that sell or become a pool, and those that become one. */
  buckets: Address[]
  poolBuckets: Address[]
  /** The configuration that its pool names, once an unusual one has been seen. */
  poolConfig?: Address
  /** The buckets that take deposits, and those that hold something for one recipient. */
  depositBuckets: { kind: BucketKindName; address: Address }[]
  unlocked: Address[]
  /** How many buckets the launch has besides these: of kinds that are not known, or that the endpoint lacks. */
  unread: number
}

/** Takes two round trips. Undefined if the chain has no finalized launch at the address, or lacks a mint. */
export async function fetchLaunchShape(
  reader: AccountReader,
  address: Address,
): Promise<LaunchShape | undefined> {
  const first = await reader.fetchAccounts([address])
  const genesis = decodeGenesisAccount(first.accounts[0] as ChainAccount)
  if (!genesis.exists || !genesis.finalized) return undefined
  const { baseMint, quoteMint, bucketCount } = genesis
  const { accounts } = await reader.fetchAccounts([
    baseMint,
    quoteMint,
    ...bucketCandidates(address, bucketCount),
    ...bucketsOfKind('unlockedV2', address, bucketCount),
  ])
  const [base, quote, ...candidates] = accounts as [ChainAccount, ChainAccount, ...ChainAccount[]]
  const tokens = { base: toToken(base), quote: toToken(quote) }
  if (!tokens.base || !tokens.quote) return undefined
  // A bucket counts only for the launch that it names.
  const buckets = candidates
    .map(decodeBucket)
    .filter(bucket => bucket.exists)
    .filter(bucket => bucket.genesis === address)
  const unlocked = candidates
    .map(decodeUnlocked)
    .filter(bucket => bucket.exists && bucket.genesis === address)
    .map(bucket => bucket.address)
  return {
    genesis: address,
    base: tokens.base,
    quote: tokens.quote,
    buckets: buckets.map(bucket => bucket.address),
    poolBuckets: buckets.filter(({ kind }) => becomesPool(kind)).map(bucket => bucket.address),
    depositBuckets: buckets.filter(({ kind }) => kindOf(kind).deposits),
    unlocked,
    unread: Math.max(0, bucketCount - buckets.length - unlocked.length),
  }
}

function toToken(account: ChainAccount): LaunchToken | undefined {
  const mint = decodeMint(account)
  if (!mint.exists || !account.exists) return undefined
  const { address, tokenProgram: program, decimals } = mint
  const isRestricted = hasSpecialTransfers(account)
  return { mint: address, program, accountBytes: tokenAccountBytes(account), decimals, isRestricted }
}
