const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function encodeBase58(bytes: Uint8Array): string {
  let text = ''
  for (let number = BigInt(`0x0${toHex(bytes)}`); number > 0n; number /= 58n)
    text = ALPHABET.charAt(Number(number % 58n)) + text
  const zeros = bytes.findIndex(byte => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

/** Only for text that `encodeBase58` has written. */
export function decodeBase58(text: string): Uint8Array {
  let number = 0n
  for (const character of text) number = number * 58n + BigInt(ALPHABET.indexOf(character))
  const hex = number === 0n ? '' : number.toString(16)
  const bytes = hex.padStart(hex.length + (hex.length % 2), '0').match(/../g) ?? []
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Uint8Array.from([...Array(zeros).fill(0), ...bytes.map(byte => Number.parseInt(byte, 16))])
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
