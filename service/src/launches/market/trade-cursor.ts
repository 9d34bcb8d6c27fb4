import { ServiceError } from '@slipway/schema/errors'
import type { TradePlace } from '../../store/list-trades.ts'
import { parseArray } from '../page-cursor.ts'

const INDEX_MAX = 2 ** 31 - 1
/** The last second of the year 9999. */
const TIME_MAX = 253_402_300_799
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** A caller must not depend on the content. `list` identifies the launch and the filters: see `listFingerprint`. */
export const encodeTradeCursor = (
  { time, slot, signature, index, orderInSlot }: TradePlace,
  list: string,
): string =>
  Buffer.from(JSON.stringify([list, time, slot, signature, index, orderInSlot])).toString('base64url')

/** Throws unless it is a cursor of this list. A forged one must not cause an error in the store. */
export function decodeTradeCursor(cursor: string, list: string): TradePlace {
  const parts = parseArray(Buffer.from(cursor, 'base64url').toString())
  const [of, time, slot, signature, index, orderInSlot] = parts
  if (
    of !== list ||
    !isWhole(time, TIME_MAX) ||
    !isWhole(slot, Number.MAX_SAFE_INTEGER) ||
    !isWhole(index, INDEX_MAX) ||
    !isWhole(orderInSlot, INDEX_MAX) ||
    typeof signature !== 'string' ||
    !SIGNATURE.test(signature)
  )
    throw new ServiceError('INVALID_CURSOR')
  return { time, slot, orderInSlot, signature, index }
}

const isWhole = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
