/**
 * The known parameters of a request's query. An empty value counts as absent. One that is repeated or
 * bracketed (`status[]=`) is kept as a list, which no schema accepts; unknown ones are left out.
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
