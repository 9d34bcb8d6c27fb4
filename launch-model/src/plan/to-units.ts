export const U64_MAX = 2n ** 64n - 1n
/** From here on, `toFixed` writes an exponent. */
const FIXED_MAX = 1e21
/** The most decimals that `toFixed` accepts. A mint can have up to 255. */
const DECIMALS_MAX = 100

/**
 * Whole tokens in the smallest unit. A number that has more decimals than the token is rounded to them, because
 * clients compute supplies with floating-point numbers. Undefined if the amount does not fit into 64 bits, or if the
 * token has more than 100 decimals.
 */
export function toUnits(tokens: number, decimals: number): bigint | undefined {
  if (!(tokens >= 0 && tokens < FIXED_MAX) || decimals > DECIMALS_MAX) return undefined
  const units = BigInt(toDecimal(tokens, decimals).replace('.', ''))
  return units <= U64_MAX ? units : undefined
}

/**
 * Writes a number with exactly this many decimals. Its own text is used if possible, because `toFixed` would
 * show the error of the binary fraction.
 */
function toDecimal(tokens: number, decimals: number): string {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(`${tokens}`) ?? []
  if (whole === undefined || fraction.length > decimals) return tokens.toFixed(decimals)
  return `${whole}.${fraction.padEnd(decimals, '0')}`
}
