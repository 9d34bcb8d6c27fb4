import type { z } from 'zod'

/**
 * Parses request URLs by an endpoint's own path and schemas. Undefined for any URL that the endpoint does not answer,
 * and for one whose parameters are invalid.
 */
export function createUrlParser<Params extends z.ZodObject, Query extends z.ZodObject>(endpoint: {
  path: string
  reserved?: readonly string[]
  params?: Params | undefined
  query?: Query | undefined
}): (url: string) => { params: z.output<Params>; query: z.output<Query> } | undefined {
  const pattern = compilePath(endpoint.path, endpoint.reserved)
  const known = queryNames(endpoint.query)
  return url => {
    const matched = pattern.exec(pathOf(url))
    if (!matched) return undefined
    const query = endpoint.query?.safeParse(parseQuery(url, known))
    const params = endpoint.params?.safeParse({ ...matched.groups })
    if (query?.success === false || params?.success === false) return undefined
    return { params: params?.data ?? {}, query: query?.data ?? {} } as never
  }
}

/** A pattern for paths like `/v1/tokens/{mint}`, with a group for each named part. No part needs percent-encoding. */
export function compilePath(path: string, reserved: readonly string[] = []): RegExp {
  const notReserved = reserved.map(name => `(?!.*/${name}$)`).join('')
  return new RegExp(`^${notReserved}${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/%]+)')}$`)
}

/** The path as the router and the metrics spell it: `/v1/tokens/:mint`. */
export const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

export function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
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
