/** A typed amount in the smallest unit; undefined if it is not a positive decimal number with at most that many decimals. */
export function parseUnits(text: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,20})(?:[.,](\d*))?$/.exec(text.trim()) ?? []
  if (whole === '' || fraction.length > decimals) return undefined
  const units = BigInt(whole + fraction.padEnd(decimals, '0'))
  return units > 0n ? units : undefined
}
