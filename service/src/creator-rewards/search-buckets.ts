import { LISTED_KINDS } from '@slipway/launch-model/kinds/kinds'
import { GENESIS_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import pLimit from 'p-limit'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { type FaultKind, RpcError } from '../chain/rpc/fault.ts'
import { networkOf } from '../lib/client-network.ts'
import { createLru } from '../lib/create-lru.ts'
import { createDeadline, withinDeadline } from '../lib/deadline.ts'
import { createSingleFlight } from '../lib/single-flight.ts'
import type { WalletBucket } from '../store/buckets.ts'

export const SEARCH_LIMITS: SearchLimits = { concurrency: 4, waitingMax: 16, burst: 60, perSecond: 3 }
const CACHE_MS = 5_000
const CACHED_MAX = 5_000
/** How long an RPC that refuses searches is not asked for one. */
const REFUSED_MS = 600_000
/** The RPC plan or the node excludes such searches, so a retry will not help soon. */
const REFUSALS = new Set<FaultKind>(['unable', 'refused', 'invalid'])

interface SearchObserver {
  onSearch(outcome: 'found' | 'empty' | 'remembered' | 'refused' | 'limited' | 'failed'): void
  /** The first of consecutive refusals. */
  onRefused(error: RpcError): void
}

/**
 * A search scans a whole program, and anyone can choose the wallet. So concurrent searches for a wallet share one
 * scan, its result is cached for a few seconds, and all searches together have a budget, of which each client has a
 * share. Claims come before previews. Beyond a limit, a search fails with `TOO_MANY_REQUESTS`, because an empty
 * result would be a guess. If the RPC refuses such searches, the result is empty.
 */
export function createBoundedSearch(
  search: (wallet: Address) => Promise<WalletBucket[]>,
  {
    observer,
    searchMs,
    limits = {},
    now = () => performance.now(),
  }: {
    observer: SearchObserver
    /** Includes the wait for other searches. */
    searchMs: number
    limits?: Partial<SearchLimits> | undefined
    now?: () => number
  },
): (wallet: Address, searcher: Searcher) => Promise<WalletBucket[]> {
  const bounds = { ...SEARCH_LIMITS, ...limits }
  const admit = createSearchAdmission(bounds, now)
  const limit = pLimit(bounds.concurrency)
  // Only this many previews can ever be ahead of a claim.
  const previewLimit = pLimit(Math.max(1, Math.floor(bounds.concurrency * PREVIEW_SHARE)))
  const share = createSingleFlight<string, WalletBucket[]>()
  const cache = createLru<Address, WalletBucket[]>(CACHED_MAX, {
    ttl: CACHE_MS,
    perf: { now },
    ttlResolution: 0,
  })
  let refusedAtMs: number | undefined

  /** Throws, instead of rejecting, if the searcher is not admitted: others may not share that error. */
  function start(wallet: Address, searcher: Searcher): Promise<WalletBucket[]> {
    const leave = admit(searcher)
    if (!leave) {
      observer.onSearch('limited')
      throw new ServiceError('TOO_MANY_REQUESTS')
    }
    const deadline = createDeadline(searchMs)
    const scan = () =>
      limit(() => {
        deadline.assertInTime()
        return search(wallet)
      })
    const found = (searcher.purpose === 'claim' ? scan() : previewLimit(scan)).finally(leave)
    return finish(wallet, withinDeadline(deadline, found))
  }

  async function finish(wallet: Address, search: Promise<WalletBucket[]>): Promise<WalletBucket[]> {
    try {
      const found = await search
      refusedAtMs = undefined
      cache.set(wallet, found)
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
      return []
    }
  }

  return async (wallet, searcher) => {
    const cached = cache.get(wallet)
    if (!cached && refusedAtMs !== undefined && now() - refusedAtMs < REFUSED_MS) return []
    let isShared = true
    // A claim does not share the search of a preview, which may have to wait.
    const found =
      cached ??
      share(`${searcher.purpose} ${wallet}`, () => {
        isShared = false
        return start(wallet, searcher)
      })
    if (isShared) observer.onSearch('remembered')
    return found
  }
}

/** 8 MB hold some 30,000 addresses. */
const BYTES_MAX = 8 * 1024 * 1024

/**
 * Finds the buckets of the program that name this wallet, with one scan per kind of bucket because each stores the
 * wallet at another offset. Returns addresses only; the contents are read like those of any known bucket.
 */
export async function searchBuckets(
  reader: Pick<ChainRpc, 'fetchProgramAccounts'>,
  wallet: Address,
  searchMs: number,
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
        limits: { attemptMs: searchMs, totalMs: searchMs, bytesMax: BYTES_MAX },
      })
      return accounts.map(({ address }) => ({ address, kind }))
    }),
  )
  return found.flat()
}

const WALLET_OFFSETS = LISTED_KINDS.flatMap(kind =>
  'creatorFeeAt' in kind ? [{ kind: kind.name, firstByte: kind.key, offset: kind.creatorFeeAt }] : [],
)

export interface SearchLimits {
  /** Concurrent searches, and how many more may wait. */
  concurrency: number
  waitingMax: number
  /** The budget of all searches: how many at once after a pause, and how many per second in the long run. */
  burst: number
  perSecond: number
}

/** A preview only shows rewards; a claim builds the transactions. */
export type SearchPurpose = 'claim' | 'preview'

interface Searcher {
  client: string
  purpose: SearchPurpose
}

/** How much of the budget and of the places previews may use. The rest is for claims. */
const PREVIEW_SHARE = 0.5
/** How much of the budget and of the places one client may use. */
const CLIENT_SHARE = 0.25
const CLIENTS_MAX = 10_000
/** With less, a full budget would never be enough for a preview: a node with many workers divides it. */
const BURST_MIN = 1 / (1 - PREVIEW_SHARE)

/**
 * Decides who may search. Returns undefined if the searcher has no place or no budget left; otherwise a function to
 * call when the search has ended.
 */
function createSearchAdmission(
  { concurrency, waitingMax, burst, perSecond }: SearchLimits,
  now: () => number,
): (searcher: Searcher) => (() => void) | undefined {
  const places = concurrency + waitingMax
  const common = createBudget(Math.max(burst, BURST_MIN), perSecond, now)
  const budgets = createLru<string, Budget>(CLIENTS_MAX)
  const inProgress = { all: 0, previews: 0, byClient: new Map<string, number>() }

  function budgetOf(client: string): Budget {
    const share = Math.max(burst * CLIENT_SHARE, BURST_MIN)
    const known = budgets.get(client) ?? createBudget(share, perSecond * CLIENT_SHARE, now)
    budgets.set(client, known)
    return known
  }

  return ({ client: asking, purpose }) => {
    // All clients of a /48 count as one, because nobody gets more than a quarter.
    const client = networkOf(asking) ?? asking
    const isPreview = purpose === 'preview'
    const key = `${purpose} ${client}`
    const ofClient = inProgress.byClient.get(key) ?? 0
    if (inProgress.all >= places || ofClient >= Math.max(1, places * CLIENT_SHARE)) return undefined
    if (isPreview && inProgress.previews >= places * PREVIEW_SHARE) return undefined
    const spent = [common, budgetOf(client)]
    if (!spent.every(budget => budget.has(isPreview ? 1 - PREVIEW_SHARE : 0))) return undefined
    for (const budget of spent) budget.spend()
    count(1)

    function count(change: 1 | -1) {
      inProgress.all += change
      if (isPreview) inProgress.previews += change
      const left = (inProgress.byClient.get(key) ?? 0) + change
      if (left > 0) inProgress.byClient.set(key, left)
      else inProgress.byClient.delete(key)
    }
    return () => count(-1)
  }
}

interface Budget {
  /** Whether more than this share of a full budget is left. */
  has(reserved: number): boolean
  spend(): void
}

function createBudget(burst: number, perSecond: number, now: () => number): Budget {
  let left = burst
  let atMs = now()
  return {
    has(reserved) {
      const nowMs = now()
      left = Math.min(burst, left + ((nowMs - atMs) / 1_000) * perSecond)
      atMs = nowMs
      return left - burst * reserved >= 1
    },
    spend() {
      left -= 1
    },
  }
}
