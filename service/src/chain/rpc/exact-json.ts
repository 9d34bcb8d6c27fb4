/**
 * `JSON.parse`, but every integer of 16 or more digits becomes a string of its digits, because a number would lose some.
 * It scans the text twice, so it is used only for responses that contain such a number.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(quoteLargeIntegers(text))
}

function quoteLargeIntegers(text: string): string {
  let quoted = ''
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('"', at)
    if (open === -1) return quoted + quoteNumbers(text.slice(at))
    const end = endOfString(text, open)
    quoted += quoteNumbers(text.slice(at, open)) + text.slice(open, end)
    at = end
  }
  return quoted
}

/** Whether the digits are not part of a fraction or an exponent. */
const LARGE_INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

const quoteNumbers = (between: string) => between.replace(LARGE_INTEGER, '"$&"')

/** The position after the closing quote; a quote after an odd number of backslashes is part of the string. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at + 1
  }
  return text.length
}
