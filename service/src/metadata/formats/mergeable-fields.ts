import { Agent, RegistrationFields } from '@slipway/schema/agent'
import type { FetchedDocument, JsonObject, JsonValue } from '../fetched-document.ts'

/**
 * An agent's documented fields: everything in its schema that a registration document doesn't set. A field that is
 * added to the schema is protected too. A document must not be able to set an agent's token, owner or authority.
 */
export const DOCUMENTED_NAMES: ReadonlySet<string> = new Set(
  Object.keys(Agent.shape).filter(name => !Object.hasOwn(RegistrationFields, name)),
)

const BYTES_MAX = 65_536
const LEVELS_MAX = 16
/** Counted over all levels of the document. */
const KEYS_MAX = 256

/**
 * A copy of the registration document's fields that are merged into an agent's detail; empty if the document exceeds
 * 64 KiB, 16 levels or 256 keys. Keys that could reach a prototype are dropped at every level.
 */
export function parseMergeableFields({ value, bytes }: Pick<FetchedDocument, 'value' | 'bytes'>): JsonObject {
  if (bytes > BYTES_MAX) return {}
  let keys = 0

  function copy(part: JsonValue, level: number): JsonValue {
    if (typeof part === 'string') return storable(part)
    if (typeof part !== 'object' || part === null) return part
    if (level > LEVELS_MAX) throw new LimitExceeded()
    if (Array.isArray(part)) return part.map(item => copy(item, level + 1))
    const fields: JsonObject = {}
    for (const [key, field] of Object.entries(part)) {
      keys += 1
      if (keys > KEYS_MAX) throw new LimitExceeded()
      // Dropped fields count toward the limits too.
      const copied = copy(field, level + 1)
      if (isSafeKey(key)) fields[storable(key)] = copied
    }
    return fields
  }

  try {
    const fields = copy(value, 1) as JsonObject
    return Object.fromEntries(Object.entries(fields).filter(([key]) => !DOCUMENTED_NAMES.has(key)))
  } catch (error) {
    if (error instanceof LimitExceeded) return {}
    throw error
  }
}

class LimitExceeded extends Error {}

const isSafeKey = (key: string) => !key.startsWith('__') && key !== 'constructor' && key !== 'prototype'

/** PostgreSQL rejects zero bytes and lone surrogates, which are valid in JSON. */
const storable = (text: string) => text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
