import { formatAmount } from '@slipway/client'

/** A typed amount in the smallest unit; undefined if `findUnitsFault` finds something wrong with it. */
export function parseUnits(text: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = ''] = NUMBER.exec(normalize(text)) ?? []
  if (whole + fraction === '' || fraction.length > decimals) return undefined
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return units > 0n ? units : undefined
}

/** What is wrong with a typed amount, in a sentence. */
export function findUnitsFault(text: string, decimals: number): string | undefined {
  if (parseUnits(text, decimals) !== undefined) return undefined
  const typed = normalize(text)
  if (/^[\d.,]+e[+-]?\d+$/i.test(typed)) return 'Write all digits instead of an exponent, such as 0.000001.'
  if (/^[\d.]*,[\d.,]*$/.test(typed)) return 'Write it without commas, such as 1000 or 0.25.'
  const atMost = `at most ${WORDS[decimals] ?? decimals} decimals`
  if ((NUMBER.exec(typed)?.[2] ?? '').length > decimals) return `Use ${atMost}.`
  return `Enter a number above 0 with ${atMost}, such as 0.25.`
}

/** How an amount was understood, if it is written differently from how this site writes numbers: `= 1.5` for `1,5`. */
export function explainUnits(text: string, decimals: number): string {
  const units = parseUnits(text, decimals)
  return units === undefined || !/[\s,]/.test(text.trim()) ? '' : `= ${formatAmount(units, decimals)}`
}

/** More digits are no amount of anything. */
const NUMBER = /^(\d{0,40})(?:\.(\d*))?$/
/**
 * A comma before three digits may separate thousands. After a single 0, or before another number of digits, it can't.
 */
const DECIMAL_COMMA = /^(?:\d*,(?:\d{0,2}|\d{4,})|0,\d{3})$/
const SPACED_THOUSANDS = /^\d{1,3}(?:\s\d{3})+(?!\d)/
const WORDS: Record<number, string> = { 2: 'two', 9: 'nine' }

function normalize(text: string): string {
  const trimmed = text.trim().replace(SPACED_THOUSANDS, digits => digits.replaceAll(/\s/g, ''))
  return DECIMAL_COMMA.test(trimmed) ? trimmed.replace(',', '.') : trimmed
}
