const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const BYTES = 32

/** Whether the text is an address: base58 of exactly 32 bytes. */
export function isAddress(text: string): boolean {
  if (!ADDRESS.test(text)) return false
  let number = 0n
  for (const character of text) number = number * 58n + BigInt(ALPHABET.indexOf(character))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const rest = number === 0n ? 0 : Math.ceil(number.toString(16).length / 2)
  return zeros + rest === BYTES
}
