import type { Address } from '@slipway/schema/address'
import type { AccountReader, ChainAccount } from './account-reader.ts'
import { type Bucket, decodeBucket } from './accounts/bucket.ts'
import type { Decoded } from './accounts/decoded.ts'
import { decodeGenesisAccount, type GenesisAccount } from './accounts/genesis-account.ts'
import { type LaunchTimes, resolveLaunchTimes } from './accounts/launch-times.ts'
import { decodeMint, findTokenName } from './accounts/mint.ts'
import { decodeTokenMetadata, type TokenName } from './accounts/token-metadata.ts'
import { bucketCandidates, tokenMetadataAddress } from './addresses/addresses.ts'

export type FoundBucket = Extract<Decoded<Bucket>, { exists: true }>

/** What the chain says of a launch. */
export interface LaunchFacts {
  genesis: GenesisAccount
  buckets: FoundBucket[]
  /** Undefined without a base mint, or when that has no name. */
  token: TokenName | undefined
  /** Undefined while no bucket is one that a launch can be about. */
  times: LaunchTimes | undefined
}

/** In two round trips: the launch's account says how many buckets to look for. No facts: no launch stands there. */
export async function fetchLaunchFacts(
  reader: AccountReader,
  address: Address,
): Promise<{ slot: number; facts: LaunchFacts | undefined }> {
  const first = await reader.fetchAccounts([address])
  const genesis = decodeGenesisAccount(first.accounts[0] as ChainAccount)
  if (!genesis.exists) return { slot: first.slot, facts: undefined }
  const { baseMint, bucketCount } = genesis
  const { slot, accounts } = await reader.fetchAccounts([
    baseMint,
    tokenMetadataAddress(baseMint),
    ...bucketCandidates(address, bucketCount),
  ])
  const [mint, metadata, ...candidates] = accounts as [ChainAccount, ChainAccount, ...ChainAccount[]]
  // Whoever lends a bucket to another launch is not believed: it must name the one that was asked for.
  const buckets = candidates
    .map(decodeBucket)
    .filter(bucket => bucket.exists)
    .filter(bucket => bucket.genesis === address)
  return {
    slot,
    facts: {
      genesis,
      buckets,
      token: findTokenName(decodeMint(mint), decodeTokenMetadata(metadata)),
      times: resolveLaunchTimes(buckets),
    },
  }
}
