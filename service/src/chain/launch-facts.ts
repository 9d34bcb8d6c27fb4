import { bucketCandidates, tokenMetadataAddress } from '@slipway/launch-model/addresses'
import type { GenesisAccount } from '@slipway/launch-model/genesis-account'
import { clampTime, type LaunchTimes, resolveLaunchTimes } from '@slipway/launch-model/launch-times'
import type { Address } from '@slipway/schema/address'
import type { AccountReader, ChainAccount } from './account-reader.ts'
import { type DecodedBucket, decodeBucket } from './accounts/bucket.ts'
import { decodeGenesisAccount } from './accounts/genesis-account.ts'
import { decodeMint, decodeTokenMetadata, findTokenName, type TokenName } from './accounts/mint.ts'
import type { ChainRpc } from './rpc/create-rpc.ts'
import { RpcError } from './rpc/fault.ts'

/** What the chain says about a launch. */
export interface LaunchFacts {
  genesis: GenesisAccount
  buckets: DecodedBucket[]
  /** Undefined if the base mint is missing or has no name. */
  token: TokenName | undefined
  /** Undefined while there is no primary bucket. */
  times: LaunchTimes | undefined
}

/**
 * Takes two round trips, because the launch's account has the number of buckets. `facts` is undefined if there is no
 * launch.
 */
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
  // A bucket counts only for the launch that it names.
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

export type HistoryReader = Pick<ChainRpc, 'fetchSignatures' | 'fetchBlockTime'>

/** How many transactions are searched for one that succeeded. */
const LOOK_BACK = 20

/** When the newest successful transaction of an account landed. Best effort: nodes prune history and block times. */
export async function fetchLastTransactionAt(
  rpc: HistoryReader,
  address: Address,
): Promise<Date | undefined> {
  try {
    const signatures = await rpc.fetchSignatures(address, { limit: LOOK_BACK })
    const newest = signatures.find(({ failed }) => !failed)
    const seconds = newest && (newest.blockTime ?? (await rpc.fetchBlockTime(newest.slot)))
    return seconds === undefined ? undefined : new Date(clampTime(seconds) * 1_000)
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}
