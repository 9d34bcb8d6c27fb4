/** An amount of whole units, exactly: 4_190_000_000 with 9 decimals is `4.19`. */
export function formatUnits(amount: bigint, decimals: number): string {
  const digits = `${amount < 0n ? -amount : amount}`.padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const fraction = digits.slice(at).replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${digits.slice(0, at)}${fraction && `.${fraction}`}`
}

/** The same, with the word after it. */
export const formatTokens = (amount: bigint, decimals: number): string =>
  `${formatUnits(amount, decimals)} ${amount === 10n ** BigInt(decimals) ? 'token' : 'tokens'}`

const SOL_DECIMALS = 9

export const formatSol = (lamports: bigint) => `${formatUnits(lamports, SOL_DECIMALS)} SOL`
