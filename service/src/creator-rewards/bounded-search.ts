import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { LRUCache } from 'lru-cache'
import type { FaultKind } from '../chain/rpc/fault.ts'
import { RpcError } from '../chain/rpc/rpc-error.ts'
import type { WalletBucket } from '../store/wallet-buckets.ts'

export interface SearchLimits {
  /** For so long a result is given again, an empty one too. */
  rememberMs: number
  rememberedMax: number
  /** Searches at a time, and how many may wait for one of them to end. */
  slots: number
  waitingMax: number
  /** So many at once after a pause, and so many a second for ever. */
  burst: number
  perSecond: number
  /** A node that does not answer such questions is not asked one for so long. */
  refusedMs: number
}

export const SEARCH_LIMITS: SearchLimits = {
  rememberMs: 5_000,
  rememberedMax: 5_000,
  slots: 4,
  waitingMax: 16,
  burst: 60,
  perSecond: 3,
  refusedMs: 600_000,
}

export type SearchOutcome = 'found' | 'empty' | 'remembered' | 'refused' | 'limited' | 'failed'

export interface SearchObserver {
  onSearch(outcome: SearchOutcome): void
  /** The first of a row of refusals. */
  onRefused(error: RpcError): void
}

/** Not the network's fault, nor over soon: the plan or the node leaves such questions out. */
const REFUSALS = new Set<FaultKind>(['unable', 'refused', 'invalid'])

/**
 * A search walks through a whole program, and strangers choose the wallet. So a wallet is searched for once at a time and
 * its result kept for a few seconds, and all wallets together have a budget. Beyond it a search is refused with
 * `TOO_MANY_REQUESTS`: to say that there is nothing would be a guess. Where nodes do not allow such questions at all,
 * nothing is found, and that is said once.
 */
export function createBoundedSearch(
  search: (wallet: Address) => Promise<WalletBucket[]>,
  {
    observer,
    limits = {},
    now = () => performance.now(),
  }: { observer: SearchObserver; limits?: Partial<SearchLimits>; now?: () => number },
): (wallet: Address) => Promise<WalletBucket[]> {
  const { rememberMs, rememberedMax, slots, waitingMax, burst, perSecond, refusedMs } = {
    ...SEARCH_LIMITS,
    ...limits,
  }
  const flights = new Map<Address, Promise<WalletBucket[]>>()
  const remembered = new LRUCache<Address, WalletBucket[]>({
    max: rememberedMax,
    ttl: rememberMs,
    perf: { now },
    ttlResolution: 0,
  })
  const waiting: (() => void)[] = []
  let running = 0
  let budget = burst
  let budgetAtMs = now()
  let refusedAtMs: number | undefined

  function spend(): void {
    budget = Math.min(burst, budget + ((now() - budgetAtMs) / 1_000) * perSecond)
    budgetAtMs = now()
    if (budget < 1 || (running >= slots && waiting.length >= waitingMax)) {
      observer.onSearch('limited')
      throw new ServiceError('TOO_MANY_REQUESTS')
    }
    budget -= 1
  }

  async function takeSlot(): Promise<void> {
    if (running < slots) running += 1
    else await new Promise<void>(resolve => waiting.push(resolve))
  }

  function leaveSlot(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  async function run(wallet: Address): Promise<WalletBucket[]> {
    await takeSlot()
    try {
      const found = await search(wallet)
      refusedAtMs = undefined
      remembered.set(wallet, found)
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
    } finally {
      leaveSlot()
      flights.delete(wallet)
    }
  }

  return async wallet => {
    const known = remembered.get(wallet) ?? flights.get(wallet)
    if (known) {
      observer.onSearch('remembered')
      return known
    }
    if (refusedAtMs !== undefined && now() - refusedAtMs < refusedMs) return []
    spend()
    const flight = run(wallet)
    flights.set(wallet, flight)
    return flight
  }
}
