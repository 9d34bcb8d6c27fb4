import type { Snapshot } from '../endpoint/representation.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import { LISTING_CACHE_CONTROL, ListLaunchesQuery, listingFinder } from '../launches/list-launches.route.ts'
import type { Lane } from './ingress/ingress.ts'
import { parseQuery } from '../endpoint/parse-url.ts'
import { beginSnapshot } from './response/send-snapshot.ts'

const PATH = '/v1/launches'
const KNOWN = new Set(Object.keys(ListLaunchesQuery.shape))
const URLS_REMEMBERED = 1_000
const URL_LENGTH_MAX = 200

/**
 * Listings are answered before routing: their bytes are ready, and routing would cost more than sending them.
 * Whatever is not a well-formed listing request goes the ordinary way, which also says what is wrong with it.
 */
export function createListingLane(snapshots: LaunchSnapshots): Lane {
  const remembered = new Map<string, () => Snapshot>()
  // One request is often like the one before, and comparing is cheaper than looking up.
  let lastUrl = ''
  let lastFinder: (() => Snapshot) | undefined

  function finderOf(url: string): (() => Snapshot) | undefined {
    if (url === lastUrl) return lastFinder
    lastUrl = url
    lastFinder = isListing(url) ? (remembered.get(url) ?? readUrl(url)) : undefined
    return lastFinder
  }

  function readUrl(url: string): (() => Snapshot) | undefined {
    const parsed = ListLaunchesQuery.safeParse(parseQuery(url, KNOWN))
    if (!parsed.success) return undefined
    const finder = listingFinder(snapshots, parsed.data)
    if (url.length <= URL_LENGTH_MAX) {
      // Callers choose the URL, so what is remembered is bounded; the usual ones are back at once.
      if (remembered.size === URLS_REMEMBERED) remembered.clear()
      remembered.set(url, finder)
    }
    return finder
  }

  return (request, response, exchange) => {
    const { method, url } = exchange
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const find = finderOf(url)
    if (!find) return undefined
    exchange.route = PATH
    return beginSnapshot(request, response, exchange, find(), LISTING_CACHE_CONTROL)
  }
}

const isListing = (url: string) =>
  url.startsWith(PATH) && (url.length === PATH.length || url[PATH.length] === '?')
