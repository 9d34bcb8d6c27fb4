import { LRUCache } from 'lru-cache'
import type { Endpoint, PreparedAnswer } from '../../endpoint/endpoint.ts'
import { parseUrl } from '../../endpoint/parse-url.ts'
import type { Route, RouteTable } from '../route-table.ts'

/** Finds the route of a request, and its answer if one is prepared. */
export type FastPath = (
  method: string,
  url: string,
) => { route: Route | undefined; answer?: PreparedAnswer | undefined }

/** Callers choose the URL, so the number and the length of those that are kept are bounded. */
const URLS_MAX = 10_000
const URL_LENGTH_MAX = 200

/**
 * Sends answers that endpoints have prepared, before routing: routing would cost more than sending the bytes. Every
 * other request is routed, invalid ones included, so that one place decides on errors.
 */
export function createFastPath(routes: Pick<RouteTable, 'find'>): FastPath {
  const parsed = new LRUCache<string, { route: Route; find(): PreparedAnswer | undefined }>({ max: URLS_MAX })

  return (method, url) => {
    const isRead = method === 'GET' || method === 'HEAD'
    const known = isRead ? parsed.get(url) : undefined
    if (known) return { route: known.route, answer: known.find() }
    const found = routes.find(method, url)
    if (!found) return NOTHING
    const { route, params } = found
    const { prepared } = route.endpoint ?? {}
    const input = isRead && prepared && parseUrl(route.endpoint as Endpoint, url, params)
    if (!input) return { route }
    const find = () => prepared(input as never)
    if (url.length <= URL_LENGTH_MAX) parsed.set(url, { route, find })
    return { route, answer: find() }
  }
}

const NOTHING = { route: undefined }
