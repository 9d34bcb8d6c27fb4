import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { pause } from '../../lib/pause.ts'
import { findProgress, type Searched } from '../../store/chain-progress.ts'
import type { Database } from '../../store/database.ts'

/**
 * An index of delegations or of deposits. They need a search of their own, and subscriptions don't report closed
 * ones.
 */
export interface RecordIndex {
  /** A subscription reported a record. */
  report(record: Address): void
  /** Records may have gone unreported. The search starts soon, but not often. */
  requestSearch(): void
  /** Runs until the signal. */
  run(): Promise<void>
}

/** One RPC call reads at most this many. */
export const RECORD_BATCH = 100
const LOOKS_MAX = 5
/** A search may be large, and one that failed may be too large, so it is not repeated with every sweep. */
const SWEEPS_PER_SEARCH = 6

/** Stores records as they are reported, and regularly checks whether stored records still exist. */
export function createRecordIndex({
  network,
  database,
  searched,
  search,
  list,
  update,
  sweepMs,
  onFault,
  signal,
}: {
  network: Network
  database: Database
  /** The field of the progress that says whether the search has succeeded once. */
  searched: Searched
  search(): Promise<void>
  /** The next stored records after this one. */
  list(page: { after: string; limit: number }): Promise<Address[]>
  /** Reads these records. Returns those that the node does not have. */
  update(records: readonly Address[]): Promise<Address[]>
  sweepMs: number
  onFault(error: unknown): void
  signal: AbortSignal
}): RecordIndex {
  /** Reported and not read yet. */
  const unread = new Set<Address>()
  /** Records that were not found, with the attempts that each has left: the node may be behind the subscription. */
  const awaited = new Map<Address, number>()
  let wake = new AbortController()
  let after = ''
  let isSearched = false
  let isRequested = false
  let searchAtMs = 0

  /** Repeats the search if it failed during the full read. */
  async function searchIfDue() {
    if ((isSearched && !isRequested) || performance.now() < searchAtMs) return
    const progress = await findProgress(database, network)
    if (!progress?.isComplete) return
    searchAtMs = performance.now() + SWEEPS_PER_SEARCH * sweepMs
    const isDue = isRequested || !progress[searched]
    isRequested = false
    try {
      if (isDue) await search()
    } catch (error) {
      isRequested = true
      throw error
    }
    isSearched = true
  }

  async function next(): Promise<Address[]> {
    const waiting = unread.size > 0 ? unread : awaited
    if (waiting.size > 0) return [...waiting.keys()].slice(0, RECORD_BATCH)
    const records = await list({ after, limit: RECORD_BATCH })
    after = records.at(-1) ?? ''
    return records
  }

  async function updateNext() {
    const records = await next()
    const absent = new Set(await update(records))
    for (const record of records) {
      const left = (unread.delete(record) ? LOOKS_MAX : (awaited.get(record) ?? 1)) - 1
      if (absent.has(record) && left > 0) awaited.set(record, left)
      else awaited.delete(record)
    }
  }

  return {
    report(record) {
      unread.add(record)
      wake.abort()
    },
    requestSearch() {
      isRequested = true
      if (performance.now() >= searchAtMs) wake.abort()
    },
    async run() {
      let isBehind = false
      while (!signal.aborted) {
        if (!isBehind) await pause(sweepMs, AbortSignal.any([signal, wake.signal]))
        if (signal.aborted) return
        wake = new AbortController()
        try {
          await updateNext()
          await searchIfDue()
          isBehind = unread.size > 0
        } catch (error) {
          isBehind = false
          if (!signal.aborted) onFault(error)
        }
      }
    },
  }
}
