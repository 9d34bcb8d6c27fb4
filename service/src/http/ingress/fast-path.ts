import { LRUCache } from 'lru-cache'
import type { Endpoint, PreparedAnswer } from '../../endpoint/endpoint.ts'
import { createUrlParser, routeOf } from '../../endpoint/parse-url.ts'

/** Finds the prepared answer to a request, and the route to count it under. */
export type FastPath = (method: string, url: string) => { answer: PreparedAnswer; route: string } | undefined

/** Callers choose the URL, so the number and the length of those that are kept are bounded. */
const URLS_MAX = 10_000
const URL_LENGTH_MAX = 200

/**
 * Sends answers that endpoints have prepared, before routing: routing would cost more than sending the bytes. Every other
 * request is routed, invalid ones included, so that one place decides on errors.
 */
export function createFastPath(endpoints: readonly Endpoint[]): FastPath {
  const candidates = endpoints.flatMap(endpoint => {
    const { prepared } = endpoint
    if (!prepared || endpoint.method !== 'GET') return []
    return [{ parse: createUrlParser(endpoint), route: routeOf(endpoint.path), prepared }]
  })
  const parsed = new LRUCache<string, { route: string; find(): PreparedAnswer | undefined }>({
    max: URLS_MAX,
  })

  function parse(url: string) {
    for (const { parse, route, prepared } of candidates) {
      const input = parse(url)
      if (!input) continue
      const target = { route, find: () => prepared(input as never) }
      if (url.length <= URL_LENGTH_MAX) parsed.set(url, target)
      return target
    }
    return undefined
  }

  return (method, url) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const target = parsed.get(url) ?? parse(url)
    const answer = target?.find()
    return target && answer && { answer, route: target.route }
  }
}
