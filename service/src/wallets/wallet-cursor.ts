import { createHash } from 'node:crypto'
import { ServiceError } from '@slipway/schema/errors'

/** Cursors of one list. A caller must not depend on their content. They are the same on every node. */
export interface Cursors<Place> {
  encode(place: Place): string
  /** Throws `INVALID_CURSOR` unless it is a cursor of this list. */
  decode(cursor: string): Place
}

/** `list` is everything that the list depends on: a cursor of another one would skip entries silently. */
export function createCursors<Place>(
  list: readonly unknown[],
  isPlace: (value: unknown) => value is Place,
): Cursors<Place> {
  const fingerprint = createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8)
  return {
    encode: place => Buffer.from(JSON.stringify([fingerprint, place])).toString('base64url'),
    decode(cursor) {
      const [of, place] = parseArray(Buffer.from(cursor, 'base64url').toString())
      if (of !== fingerprint || !isPlace(place)) throw new ServiceError('INVALID_CURSOR')
      return place
    },
  }
}

function parseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
