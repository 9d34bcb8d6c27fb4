import type { Json } from '../reference/json-schemas.ts'

/** Shorter parts are easier to read in place. */
const SHARED_LENGTH_MIN = 200

/** Moves the parts of a JSON schema that occur more than once to `$defs`, the longest first. */
export function shareParts(schema: Json): Json {
  const definitions: Record<string, unknown> = { ...(schema.$defs as Json) }
  let { $defs: _, ...rest } = schema
  for (;;) {
    const counts = new Map<string, number>()
    const count = (value: unknown) => {
      if (typeof value !== 'object' || value === null) return
      const json = JSON.stringify(value)
      if (!Array.isArray(value) && 'type' in value && json.length >= SHARED_LENGTH_MIN)
        counts.set(json, (counts.get(json) ?? 0) + 1)
      for (const part of Object.values(value)) count(part)
    }
    count([rest, definitions])
    const [repeated] = [...counts]
      .filter(([, times]) => times > 1)
      .map(([json]) => json)
      .sort((a, b) => b.length - a.length)
    if (repeated === undefined) break
    const name = `part${Object.keys(definitions).length + 1}`
    const replace = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return value.map(replace)
      if (JSON.stringify(value) === repeated) return { $ref: `#/$defs/${name}` }
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replace(part)]))
    }
    for (const [key, value] of Object.entries(definitions)) definitions[key] = replace(value)
    rest = replace(rest) as Json
    definitions[name] = JSON.parse(repeated)
  }
  return Object.keys(definitions).length > 0 ? { ...rest, $defs: definitions } : rest
}
