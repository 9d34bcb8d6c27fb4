import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { BUCKET_LAYOUTS } from '../chain/accounts/bucket-layouts.ts'
import { GENESIS_PROGRAM, SYSTEM_PROGRAM } from '../chain/addresses/programs.ts'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import type { FaultKind } from '../chain/rpc/fault.ts'
import { RpcError } from '../chain/rpc/rpc-error.ts'
import type { PayingKind, WalletBucket } from '../store/wallet-buckets.ts'

export interface SearchLimits {
  /** Concurrent searches, and how many more may wait. */
  concurrency: number
  waitingMax: number
  /** The budget of all searches: how many at once after a pause, and how many per second in the long run. */
  burst: number
  perSecond: number
}

const SEARCH_LIMITS: SearchLimits = { concurrency: 4, waitingMax: 16, burst: 60, perSecond: 3 }
/** How much of the budget and of the queue previews may use. The rest is for claims. */
const PREVIEW_SHARE = 0.5
const CACHE_MS = 5_000
const CACHED_MAX = 5_000
/** How long an RPC that refuses searches is not asked for one. */
const REFUSED_MS = 600_000
/** The RPC plan or the node excludes such searches, so a retry will not help soon. */
const REFUSALS = new Set<FaultKind>(['unable', 'refused', 'invalid'])

export interface SearchObserver {
  onSearch(outcome: 'found' | 'empty' | 'remembered' | 'refused' | 'limited' | 'failed'): void
  /** The first of consecutive refusals. */
  onRefused(error: RpcError): void
}

/** A preview only shows rewards; a claim builds the transactions. */
export type SearchPurpose = 'claim' | 'preview'

/**
 * A search scans a whole program, and anyone can choose the wallet. So concurrent searches for a wallet share one scan, its
 * result is cached for a few seconds, and all wallets together have a budget. Beyond it, a search fails with
 * `TOO_MANY_REQUESTS`, because an empty result would be a guess. If the RPC refuses such searches, the result is empty.
 */
export function createBoundedSearch(
  search: (wallet: Address) => Promise<WalletBucket[]>,
  {
    observer,
    limits = {},
    now = () => performance.now(),
  }: { observer: SearchObserver; limits?: Partial<SearchLimits> | undefined; now?: () => number },
): (wallet: Address, purpose: SearchPurpose) => Promise<WalletBucket[]> {
  const { concurrency, waitingMax, burst, perSecond } = { ...SEARCH_LIMITS, ...limits }
  const limit = pLimit(concurrency)
  let budget = burst
  let budgetAtMs = now()
  let refusedAtMs: number | undefined

  function spendBudget(purpose: SearchPurpose): void {
    budget = Math.min(burst, budget + ((now() - budgetAtMs) / 1_000) * perSecond)
    budgetAtMs = now()
    const share = purpose === 'claim' ? 1 : PREVIEW_SHARE
    const isQueueFull = limit.activeCount >= concurrency && limit.pendingCount >= waitingMax * share
    if (budget - burst * (1 - share) < 1 || isQueueFull) {
      observer.onSearch('limited')
      throw new ServiceError('TOO_MANY_REQUESTS')
    }
    budget -= 1
  }

  /** Undefined if the RPC refuses: nothing was found, and nothing is cached. */
  async function run(wallet: Address, purpose: SearchPurpose): Promise<WalletBucket[] | undefined> {
    if (refusedAtMs !== undefined && now() - refusedAtMs < REFUSED_MS) return undefined
    spendBudget(purpose)
    try {
      const found = await limit(() => search(wallet))
      refusedAtMs = undefined
      observer.onSearch(found.length > 0 ? 'found' : 'empty')
      return found
    } catch (error) {
      if (!(error instanceof RpcError) || !REFUSALS.has(error.kind)) {
        observer.onSearch('failed')
        throw error
      }
      if (refusedAtMs === undefined) observer.onRefused(error)
      refusedAtMs = now()
      observer.onSearch('refused')
      return undefined
    }
  }

  // Its `fetch` shares a search in progress and drops one that fails.
  const cache = new LRUCache<Address, WalletBucket[], { purpose: SearchPurpose }>({
    max: CACHED_MAX,
    ttl: CACHE_MS,
    perf: { now },
    ttlResolution: 0,
    fetchMethod: (wallet, _stale, { context }) => run(wallet, context.purpose),
  })

  return async (wallet, purpose) => {
    const status: LRUCache.Status<Address, WalletBucket[], { purpose: SearchPurpose }> = {}
    const found = cache.fetch(wallet, { context: { purpose }, status })
    if (status.fetch === 'hit' || status.fetch === 'inflight') observer.onSearch('remembered')
    return (await found) ?? []
  }
}

/** A caller waits for the result, so the time is short; 8 MB hold some 30,000 addresses. */
const CALL_LIMITS = { attemptMs: 2_000, totalMs: 3_000, bytesMax: 8 * 1024 * 1024 }

/**
 * Finds the buckets of the program that name this wallet, with one scan per kind of bucket because each stores the wallet at
 * another offset. Returns addresses only; the contents are read like those of any known bucket.
 */
export async function searchBuckets(
  reader: Pick<ChainRpc, 'fetchProgramAccounts'>,
  wallet: Address,
): Promise<WalletBucket[]> {
  // Its bytes are all zero, like the empty wallet field of every bucket that pays no one.
  if (wallet === SYSTEM_PROGRAM) return []
  const found = await Promise.all(
    WALLET_OFFSETS.map(async ({ kind, firstByte, offset }) => {
      const { accounts } = await reader.fetchProgramAccounts(GENESIS_PROGRAM, {
        filters: [
          { memcmp: { offset: 0, bytes: Uint8Array.of(firstByte) } },
          { memcmp: { offset, bytes: wallet } },
        ],
        dataSlice: { offset: 0, length: 0 },
        limits: CALL_LIMITS,
      })
      return accounts.map(({ address }) => ({ address, kind }))
    }),
  )
  return found.flat()
}

const WALLET_OFFSETS = BUCKET_LAYOUTS.flatMap(({ kind, firstByte, creatorFee }) =>
  creatorFee ? [{ kind: kind as PayingKind, firstByte, offset: creatorFee.wallet }] : [],
)
