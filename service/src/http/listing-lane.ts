import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import { findListing, LISTING_CACHE_CONTROL, ListLaunchesQuery } from '../launches/list-launches.route.ts'
import type { Lane } from './front-door.ts'
import { parseQuery } from './query.ts'
import { sendSnapshot } from './send-snapshot.ts'

const PATH = '/v1/launches'
const KNOWN = new Set(Object.keys(ListLaunchesQuery.shape))
const URLS_REMEMBERED = 1_000
const URL_LENGTH_MAX = 200

/**
 * Listings are answered before routing: their bytes are ready, and routing would cost more than sending them.
 * Whatever is not a well-formed listing request goes the ordinary way, which also says what is wrong with it.
 */
export function createListingLane(snapshots: LaunchSnapshots): Lane {
  const remembered = new Map<string, ListLaunchesQuery>()

  function queryOf(url: string): ListLaunchesQuery | undefined {
    const known = remembered.get(url)
    if (known) return known
    const parsed = ListLaunchesQuery.safeParse(parseQuery(url, KNOWN))
    if (parsed.success && url.length <= URL_LENGTH_MAX) {
      // Callers choose the URL, so what is remembered is bounded; the usual ones are back at once.
      if (remembered.size === URLS_REMEMBERED) remembered.clear()
      remembered.set(url, parsed.data)
    }
    return parsed.data
  }

  return (request, response, exchange) => {
    const { method, url = '' } = request
    if (method !== 'GET' && method !== 'HEAD') return 'declined'
    if (!url.startsWith(PATH) || (url.length > PATH.length && url[PATH.length] !== '?')) return 'declined'
    const query = queryOf(url)
    if (!query) return 'declined'
    exchange.route = PATH
    const snapshot = findListing(snapshots, query)
    return sendSnapshot(request, response, exchange, {
      snapshot,
      cacheControl: LISTING_CACHE_CONTROL,
    })
  }
}
