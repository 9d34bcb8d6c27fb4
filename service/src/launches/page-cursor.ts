import { createHash } from 'node:crypto'
import { isAddress } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { LaunchOrder, MatchPlace } from '../store/list-launches.ts'

/** Where a page ends. */
export interface PageCursor {
  place: MatchPlace
  /**
   * In the order `ending`, the approximate time of the first page: launches keep their places even if they end
   * meanwhile.
   */
  asOfMs: number
}

/** The keys that the store accepts for an order: a forged cursor must not cause an error there. */
const KEYS: Record<LaunchOrder, RegExp> = {
  activity: /^-?\d{1,16}$/,
  newest: /^-?\d{1,16}$/,
  raised: /^-?\d{1,40}(\.\d{1,400})?$/,
  progress: /^-?\d{1,8}$/,
  ending: /^-?\d{1,16}$/,
}

/**
 * Identifies an order and its filters. Otherwise, a cursor of another list would be accepted, and its pages would
 * silently skip launches.
 */
export const listFingerprint = (list: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8)

/** A caller must not depend on the content. It is the same on every node, and stays valid after a restart. */
export function encodeCursor({ place: { key, address, score }, asOfMs }: PageCursor, list: string): string {
  return Buffer.from(JSON.stringify([list, key, address, score, asOfMs])).toString('base64url')
}

/** Throws unless it is a cursor of this list. */
export function decodeCursor(cursor: string, list: string, order: LaunchOrder): PageCursor {
  const [of, key, address, score, asOfMs] = parseArray(Buffer.from(cursor, 'base64url').toString())
  if (
    of !== list ||
    typeof key !== 'string' ||
    !KEYS[order].test(key) ||
    typeof address !== 'string' ||
    !isAddress(address) ||
    typeof score !== 'number' ||
    !Number.isSafeInteger(asOfMs)
  )
    throw new ServiceError('INVALID_CURSOR')
  return { place: { key, address, score }, asOfMs: asOfMs as number }
}

/** Empty if the text is not a JSON array. */
export function parseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
