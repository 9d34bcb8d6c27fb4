import type { Document, JsonObject, JsonValue } from '../document-result.ts'

/** The names of an agent's own fields: a document never lends an agent a token, an owner or an authority. */
export const DOCUMENTED_NAMES: ReadonlySet<string> = new Set([
  'success',
  'address',
  'name',
  'description',
  'image',
  'walletAddress',
  'owner',
  'authority',
  'agentMetadataUri',
  'agentToken',
  'a2aCard',
  'verifiedAt',
  'tokens',
  'agentTokenInfo',
])

const BYTES_MAX = 65_536
const LEVELS_MAX = 16
/** Counted over the whole document, at all levels. */
const KEYS_MAX = 256

/**
 * The fields of a registration document that are merged into an agent's detail, as a copy. None at all when the
 * document is larger than 64 KiB, 16 levels or 256 keys. Keys that could reach a prototype are left out everywhere.
 */
export function readMergeableFields({ value, bytes }: Pick<Document, 'value' | 'bytes'>): JsonObject {
  if (bytes > BYTES_MAX) return {}
  let keys = 0

  function copy(part: JsonValue, level: number): JsonValue {
    if (typeof part === 'string') return storable(part)
    if (typeof part !== 'object' || part === null) return part
    if (level > LEVELS_MAX) throw new TooMuch()
    if (Array.isArray(part)) return part.map(item => copy(item, level + 1))
    const fields: JsonObject = {}
    for (const [key, field] of Object.entries(part)) {
      keys += 1
      if (keys > KEYS_MAX) throw new TooMuch()
      // What is left out is still walked, so that it counts.
      const copied = copy(field, level + 1)
      if (isHarmless(key)) fields[storable(key)] = copied
    }
    return fields
  }

  try {
    const fields = copy(value, 1) as JsonObject
    return Object.fromEntries(Object.entries(fields).filter(([key]) => !DOCUMENTED_NAMES.has(key)))
  } catch (error) {
    if (error instanceof TooMuch) return {}
    throw error
  }
}

class TooMuch extends Error {}

const isHarmless = (key: string) => !key.startsWith('__') && key !== 'constructor' && key !== 'prototype'

/** Zero bytes and halves of characters are valid JSON, but no database takes them. */
const storable = (text: string) => text.replace(/\0|\p{Surrogate}/gu, '\ufffd')
