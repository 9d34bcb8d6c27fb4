const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/y
const SEPARATOR = /[ \t]*(?:,[ \t]*)*/y

/** RFC 9110, 13.1.2: a list of entity tags or `*`, compared weakly. A malformed list matches up to the first error. */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  for (let at = 0; at < header.length; ) {
    SEPARATOR.lastIndex = at
    SEPARATOR.test(header)
    ENTITY_TAG.lastIndex = SEPARATOR.lastIndex
    const tag = ENTITY_TAG.exec(header)
    if (!tag) return false
    if (tag[1] === opaque) return true
    at = ENTITY_TAG.lastIndex
  }
  return false
}
