import { Key } from '@metaplex-foundation/genesis'
import { assertSigner, namedAccounts } from '../../instruction-accounts.ts'
import type { AccountRef, Invocation } from '../../stand-in.ts'
import { type AnyBucket, decodeBucket } from '../buckets.ts'
import { asKey, GENESIS, loadGenesis } from '../checks.ts'
import { genesisError } from '../errors.ts'
import { saveGenesis } from './add-bucket.ts'

const NAMED_ACCOUNTS = ['genesisAccount', 'baseMint', 'authority'] as const

/** Opens a launch for deposits and trades. Its buckets cannot change afterwards. */
export function finalize(ctx: Invocation): void {
  const { genesisAccount, baseMint, authority } = namedAccounts(ctx, GENESIS, NAMED_ACCOUNTS)
  assertSigner(authority)
  const genesis = loadGenesis(ctx, genesisAccount)
  if (genesis.baseMint !== asKey(baseMint.address)) throw genesisError('InvalidMintForGenesisAccount')
  if (genesis.authority !== asKey(authority.address)) throw genesisError('InvalidAuthority')
  if (genesis.finalized) throw genesisError('GenesisAccountAlreadyFinalized')
  if (genesis.totalAllocatedSupplyBaseToken !== genesis.totalSupplyBaseToken)
    throw genesisError('TotalSupplyNotFullyAllocated')

  const buckets = ctx.accounts.slice(NAMED_ACCOUNTS.length)
  if (buckets.length !== genesis.bucketCount) throw genesisError('MissingFinalizeBucketAccounts')
  if (new Set(buckets.map(({ address }) => address)).size !== buckets.length)
    throw genesisError('InvalidBucket')
  for (const ref of buckets) assertGraduates(loadAnyBucket(ctx, ref, genesisAccount))
  saveGenesis(ctx, genesisAccount, { ...genesis, finalized: true })
}

export function loadAnyBucket(ctx: Invocation, ref: AccountRef, genesisAccount: AccountRef): AnyBucket {
  const account = ctx.read(ref.address)
  const decoded = account?.owner === GENESIS ? decodeBucket(account.data) : undefined
  if (decoded?.bucket.genesis !== asKey(genesisAccount.address)) throw genesisError('InvalidBucket')
  return decoded
}

/** The program checks that the proceeds go somewhere, but not that the destination exists or gets all of them. */
function assertGraduates(bucket: AnyBucket): void {
  const error = MISSING_BEHAVIOR[bucket.key]
  if (!error || !('endBehaviors' in bucket)) return
  if (!bucket.endBehaviors.some(({ __kind }) => __kind === 'SendQuoteTokenPercentage'))
    throw genesisError(error)
}

const MISSING_BEHAVIOR: Partial<Record<Key, string>> = {
  [Key.LaunchPoolBucketV2]: 'LaunchPoolMissingGraduationBehavior',
  [Key.BondingCurveBucketV2]: 'BondingCurveMissingGraduationBehavior',
}
