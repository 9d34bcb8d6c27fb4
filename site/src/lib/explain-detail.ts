/** The API's error about a field as a sentence, without the units of the chain, which people don't know. */
export function explainDetail(message: string): string {
  if (IN_UNITS.test(message)) return 'This number is too small or too large for the chain.'
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`
}

const IN_UNITS = /2\^64|64 bits|smallest units?/
