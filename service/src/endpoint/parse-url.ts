import type { z } from 'zod'

/** Parses what a URL says by an endpoint's schemas. Undefined if any of it is invalid. */
export function parseUrl<Params extends z.ZodObject, Query extends z.ZodObject>(
  endpoint: { params?: Params | undefined; query?: Query | undefined },
  url: string,
  sent: Record<string, string>,
): { params: z.output<Params>; query: z.output<Query> } | undefined {
  const query = endpoint.query?.safeParse(parseQuery(url, queryNames(endpoint.query)))
  const params = endpoint.params?.safeParse(sent)
  if (query?.success === false || params?.success === false) return undefined
  return { params: params?.data ?? {}, query: query?.data ?? {} } as never
}

/** The path as the route table and the metrics spell it: `/v1/tokens/:mint`. */
export const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

export function pathOf(url: string): string {
  return before(before(url, '?'), '#')
}

function before(text: string, character: string): string {
  const end = text.indexOf(character)
  return end === -1 ? text : text.slice(0, end)
}

export const queryNames = (schema: z.ZodObject | undefined): ReadonlySet<string> =>
  new Set(Object.keys(schema?.shape ?? {}))

/**
 * The known parameters of a request's query. An empty value counts as absent. A parameter that is repeated or
 * bracketed (`status[]=`) becomes an array, which no schema accepts; unknown parameters are left out.
 */
export function parseQuery(url: string, known: ReadonlySet<string>): Record<string, string | string[]> {
  const start = url.indexOf('?')
  const query: Record<string, string | string[]> = {}
  if (start === -1) return query
  const seen = new Set<string>()
  for (const [key, value] of new URLSearchParams(url.slice(start + 1))) {
    const name = key.split('[', 1)[0] ?? ''
    if (!known.has(name)) continue
    if (name !== key || seen.has(name)) query[name] = [value]
    else if (value !== '') query[name] = value
    seen.add(name)
  }
  return query
}
