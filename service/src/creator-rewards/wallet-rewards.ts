import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../chain/account-reader.ts'
import { decodeBucket } from '../chain/accounts/bucket.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { RequestScope } from '../endpoint/endpoint.ts'
import { createLru } from '../lib/create-lru.ts'
import { createDeadline, type Deadline } from '../lib/deadline.ts'
import { createFreshSingleFlight } from '../lib/single-flight.ts'
import { type NewBucket, WALLET_BUCKETS_MAX, type WalletBucket } from '../store/buckets.ts'
import type { CheckMissing } from './check-missing.ts'
import { hasData, type Reward, readRewards } from './read-rewards.ts'

/** A wallet's rewards, read from the chain after the call. */
export interface WalletRewards {
  rewards: Reward[]
  /** The wallet's token accounts that were read together with the buckets. */
  tokenAccounts: ChainAccount[]
  /**
   * Set if buckets may be missing. A caller that finds no rewards must throw it rather than report that there are
   * none.
   */
  fault: unknown
  /** Set if the chain lacks indexed accounts and can't be trusted: the amounts may be too low. */
  doubt: unknown
}

/** A bucket that the search found on the chain and the store did not know. */
export type UnindexedBucket = Omit<NewBucket, 'network'>

interface WalletRewardsParts {
  /** For everything that one request waits for. */
  requestMs: number
  reader: Pick<ChainRpc, 'fetchAccounts' | 'confirmCluster'>
  expectedTokenAccounts(wallet: Address): Address[]
  findKnown(wallet: Address): Promise<{ isIndexComplete: boolean; buckets: WalletBucket[] }>
  search(wallet: Address, client: string): Promise<WalletBucket[]>
  /** Stores the buckets that the search found. Must not block or throw. */
  remember(buckets: UnindexedBucket[]): void
  checkMissing: CheckMissing
  /** A bucket that the store knows is missing on the chain. Must not block or throw. */
  onMissing(): void
}

/** A wallet with more buckets than this takes several steps to read, so its requests have more time. */
const LARGE_WALLET_BUCKETS = 500
const LARGE_WALLET_MS_MAX = 12_000
const LARGE_WALLETS_REMEMBERED = 5_000

export type ReadWalletRewards = (wallet: Address, scope: RequestScope) => Promise<WalletRewards>

/**
 * One query and one batched read, which concurrent requests of a client for the same wallet share. Requests of
 * different clients do not: the search on the chain counts against a client's share, and no one else may run into
 * that limit.
 */
export function createWalletRewards(parts: WalletRewardsParts): ReadWalletRewards {
  const { reader, expectedTokenAccounts, remember } = parts
  const large = createLru<Address, true>(LARGE_WALLETS_REMEMBERED)
  const giveTime = (deadline: Deadline, wallet: Address) =>
    deadline.extendIf(() => large.has(wallet), LARGE_WALLET_MS_MAX)

  const share = createFreshSingleFlight(async (key: `${string} ${Address}`) => {
    const [client, wallet] = key.split(' ') as [string, Address]
    // This is not the deadline of the first request, because others may wait for the result too.
    const deadline = createDeadline(parts.requestMs)
    giveTime(deadline, wallet)
    const { buckets, unindexed, fault } = await findBuckets(parts, wallet, client)
    if (buckets.length > LARGE_WALLET_BUCKETS) large.set(wallet, true)
    else large.delete(wallet)
    const alongside = expectedTokenAccounts(wallet)
    const readAll = () => readRewards(reader, wallet, { buckets, alongside, deadline })
    const sinceMs = performance.now()
    let read = await readAll()
    const missingOf = () => read.missing.filter(address => !unindexed.has(address))
    let doubt: unknown
    if (missingOf().length > 0) {
      const check = await parts.checkMissing(missingOf(), isPresentIn(buckets))
      if (check.isElsewhere) read = await readAll()
      if (missingOf().length > 0) {
        parts.onMissing()
        doubt = check.isElsewhere ? new ServiceError('SERVICE_UNAVAILABLE') : check.doubt
      }
    }
    // The result of the search is about to be stored.
    if (unindexed.size > 0) await reader.confirmCluster(sinceMs)
    const found = read.rewards.filter(({ address }) => unindexed.has(address))
    if (found.length > 0)
      remember(
        found.map(({ address, kind, genesis }) => ({
          address,
          kind,
          genesisAddress: genesis,
          creatorFeeWallet: wallet,
          slot: read.slot,
        })),
      )
    return { rewards: read.rewards, tokenAccounts: read.alongside, fault, doubt }
  })

  return (wallet, { client, deadline }) => {
    giveTime(deadline, wallet)
    return share(`${client} ${wallet}`)
  }
}

/**
 * Finds the buckets that pay a wallet. The store knows them; while its index is incomplete, the chain is searched as
 * well. If the search fails, the buckets that the store knows can still be claimed.
 */
export async function findBuckets(
  { findKnown, search }: Pick<WalletRewardsParts, 'findKnown' | 'search'>,
  wallet: Address,
  client: string,
): Promise<{ buckets: WalletBucket[]; unindexed: ReadonlySet<Address>; fault: unknown }> {
  const { isIndexComplete, buckets } = await findKnown(wallet)
  if (isIndexComplete) return { buckets, unindexed: new Set(), fault: undefined }
  try {
    const known = new Set(buckets.map(({ address }) => address))
    const more = (await search(wallet, client)).filter(({ address }) => !known.has(address))
    return {
      buckets: [...buckets, ...more].slice(0, WALLET_BUCKETS_MAX),
      unindexed: new Set(more.map(({ address }) => address)),
      fault: undefined,
    }
  } catch (fault) {
    return { buckets, unindexed: new Set(), fault }
  }
}

/** Pools and launches must not be empty; buckets must be buckets. */
function isPresentIn(buckets: readonly WalletBucket[]) {
  const isBucket = new Set(buckets.map(({ address }) => address))
  return (account: ChainAccount) =>
    isBucket.has(account.address) ? decodeBucket(account).exists : hasData(account)
}
