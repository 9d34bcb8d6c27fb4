import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { z } from 'zod'
import { formatUnits } from '../lib/format-units.ts'

export const NATIVE_DECIMALS = 9
/** From here on, different amounts can be the same JSON number. */
const INEXACT_MIN = 2n ** 53n
const U64_MAX = 2n ** 64n - 1n

/** An amount of whole units as it was written: a number, whose largest values are inexact, or decimal digits. */
export type WrittenAmount = number | string

/**
 * Converts whole units to the smallest unit, exactly. Undefined if the result is not whole, not positive, or too
 * large: 2^64 or more, and for a number 2^53 or more. It works on the digits of the number's shortest text, because
 * multiplying would round.
 */
export function parseAmount(written: WrittenAmount, decimals = NATIVE_DECIMALS): bigint | undefined {
  const pattern = typeof written === 'number' ? NUMBER : DIGITS
  const [, whole = '', fraction = '', exponent = '0'] = pattern.exec(`${written}`) ?? []
  if (whole === '') return undefined
  const shift = decimals + Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  const scale = 10n ** BigInt(Math.abs(shift))
  if (shift < 0 && digits % scale !== 0n) return undefined
  const smallest = shift < 0 ? digits / scale : digits * scale
  const max = typeof written === 'number' ? INEXACT_MIN - 1n : U64_MAX
  return smallest > 0n && smallest <= max ? smallest : undefined
}
const NUMBER = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/
/** A token has at most 255 decimals. */
const DIGITS = /^(\d{1,20})(?:\.(\d{1,255}))?$/

const NATIVE_AMOUNT =
  'must be more than 0 and less than 9007199.254740992, with at most nine decimals; as a string, less than 18446744073.709551616'

/** `amount` as callers send it. Its value in the smallest unit depends on the token's decimals. */
export const Amount = z
  .union([z.number(), z.string()], { error: 'must be a number, decimal digits or "all"' })
  .refine(given => given === 'all' || parsesWithSomeDecimals(given), { error: NATIVE_AMOUNT, abort: true })
  .meta({
    type: ['number', 'string'],
    description:
      'In whole units: `0.01` is a hundredth of a SOL. Never rounded: it must not have more decimals than the currency or token, nine for SOL. A number is exact below 2^53 of the smallest unit; a decimal string (`"0.01"`) always is. `"all"` is everything there is.',
  })

/** For every token, zero is invalid, and so is an amount that is too large even without decimals. */
const parsesWithSomeDecimals = (given: WrittenAmount) =>
  (typeof given === 'number' ? NUMBER : DIGITS).test(`${given}`) &&
  /[1-9]/.test(`${given}`.split('e')[0] as string)

/** Without a mint, the amount is in native currency, and can be checked before anything is read. */
export const isAmount = ({ amount, mint }: { amount: WrittenAmount; mint?: unknown }): boolean =>
  amount === 'all' || mint !== undefined || parseAmount(amount) !== undefined
export const AMOUNT_FAULT = { path: ['amount'], error: NATIVE_AMOUNT }

/** What a transfer moves, for the person who signs it. A token is named by its mint, because names can be copied. */
export function describeMoved(
  { amount, mint }: { amount?: unknown; mint?: unknown },
  built: { amount?: unknown; decimals?: unknown },
): string {
  const units = built.amount === undefined ? parseAmount(amount as WrittenAmount) : BigInt(`${built.amount}`)
  const moved = formatUnits(units ?? 0n, Number(built.decimals ?? NATIVE_DECIMALS))
  return mint === undefined || mint === WRAPPED_NATIVE_MINT ? `${moved} SOL` : `${moved} of token ${mint}`
}
