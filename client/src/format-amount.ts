/**
 * An amount in the smallest unit as a decimal number, exactly: `formatAmount(4_190_000_000n, 9)` is `4.19`.
 * The native currency has 9 decimals.
 */
export function formatAmount(smallestUnits: bigint | number | string, decimals: number): string {
  if (!Number.isInteger(decimals)) throw new TypeError('An amount needs its decimals')
  const units = BigInt(smallestUnits)
  const digits = `${units < 0n ? -units : units}`.padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`
}
