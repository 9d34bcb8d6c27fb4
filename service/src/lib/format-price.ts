const PRICE_DIGITS = 18

/**
 * A price in quote tokens per whole base token as plain decimal text, rounded down to 18 significant digits; whole
 * digits are never dropped. `quote` and `base` are amounts in the smallest unit; `base` is above zero.
 */
export function formatPrice(
  { quote, base }: { quote: bigint; base: bigint },
  { quoteDecimals, baseDecimals }: { quoteDecimals: number; baseDecimals: number },
): string {
  const shift = baseDecimals - quoteDecimals
  const numerator = quote * powerOfTen(shift)
  const denominator = base * powerOfTen(-shift)
  // One digit more or less than wanted, because only the lengths are compared.
  const places = PRICE_DIGITS - (digitsOf(numerator) - digitsOf(denominator))
  if (places <= 0) return `${numerator / denominator}`
  const scaled = (numerator * powerOfTen(places)) / denominator
  const surplus = digitsOf(scaled) - PRICE_DIGITS
  return placePoint(surplus > 0 ? scaled / powerOfTen(surplus) : scaled, places - Math.max(surplus, 0))
}

const powerOfTen = (exponent: number): bigint => (exponent > 0 ? 10n ** BigInt(exponent) : 1n)
const digitsOf = (value: bigint): number => `${value}`.length

function placePoint(value: bigint, places: number): string {
  const digits = `${value}`.padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
