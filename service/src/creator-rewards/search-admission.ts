import { LRUCache } from 'lru-cache'

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

export interface Searcher {
  client: string
  purpose: SearchPurpose
}

/** How much of the budget and of the places previews may use. The rest is for claims. */
export const PREVIEW_SHARE = 0.5
/** How much of the budget and of the places one client may use. */
const CLIENT_SHARE = 0.25
const CLIENTS_MAX = 10_000

/**
 * Decides who may search. Returns undefined if the searcher has no place or no budget left; otherwise a function to call
 * when the search has ended.
 */
export function createSearchAdmission(
  { concurrency, waitingMax, burst, perSecond }: SearchLimits,
  now: () => number,
): (searcher: Searcher) => (() => void) | undefined {
  const places = concurrency + waitingMax
  const common = createBudget(burst, perSecond, now)
  const budgets = new LRUCache<string, Budget>({ max: CLIENTS_MAX })
  const inProgress = { all: 0, previews: 0, byClient: new Map<string, number>() }

  function budgetOf(client: string): Budget {
    const known = budgets.get(client) ?? createBudget(burst * CLIENT_SHARE, perSecond * CLIENT_SHARE, now)
    budgets.set(client, known)
    return known
  }

  return ({ client, purpose }) => {
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
  /** Whether there is something left beyond this part of a full budget. */
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
