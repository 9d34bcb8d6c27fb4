import { z } from 'zod'

const DECIMALS = 9
/** From here on, different amounts are written as the same JSON number. */
const INEXACT_MIN = 2n ** 53n

/**
 * Converts native-currency units to the chain's smallest unit, exactly. Undefined if the result is not whole, not
 * positive, or 2^53 or more. It works on the digits of the number's shortest text, because multiplying would round.
 */
export function parseAmount(units: number): bigint | undefined {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(`${units}`) ?? []
  if (whole === '') return undefined
  const shift = DECIMALS + Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  const scale = 10n ** BigInt(Math.abs(shift))
  if (shift < 0 && digits % scale !== 0n) return undefined
  const smallest = shift < 0 ? digits / scale : digits * scale
  return smallest > 0n && smallest < INEXACT_MIN ? smallest : undefined
}

/** `amount` as callers send it, in native-currency units; parsed to the chain's smallest unit. */
export const Amount = z
  .number()
  .transform((units, context) => {
    const lamports = parseAmount(units)
    if (lamports !== undefined) return lamports
    context.addIssue({
      code: 'custom',
      message: 'must be more than 0 and less than 9007199.254740992, with at most nine decimals',
    })
    return z.NEVER
  })
  .meta({
    type: 'number',
    exclusiveMinimum: 0,
    description:
      'In SOL, with at most nine decimals: `0.01` is a hundredth of a SOL. Less than 9007199.254740992, and never rounded.',
  })
