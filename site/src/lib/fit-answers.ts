import type { TradeQuote } from '@slipway/client'
import { fail } from './check-answers.ts'
import { isObject } from './parse-json.ts'

export { fail }

type Json = Record<string, unknown>

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
export const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
export const unitsOf = (value: unknown): string => (isUnits(value) ? value : '')
const isUnits = (value: unknown): value is string => typeof value === 'string' && /^\d+$/.test(value)

export const fitTexts = (value: unknown, names: readonly string[]): Json => {
  const given = objectOf(value)
  return { ...given, ...Object.fromEntries(names.map(name => [name, textOf(given[name])])) }
}

/** Without its list, an answer says nothing: an empty page would be a false statement. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : fail())

export type FittedQuote = Omit<TradeQuote, 'priceImpactBps'> & { priceImpactBps: number | null }
