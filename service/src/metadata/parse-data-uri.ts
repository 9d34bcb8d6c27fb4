import { DocumentRefused } from './document-result.ts'

const JSON_TYPE = /^(?:application\/json|text\/json|application\/[\w.!#$&^+-]+\+json)?$/i
const CHARSET = /^(?:utf-?8|us-ascii)$/i
/** A percent-encoded byte takes three characters. */
const CHARACTERS_PER_BYTE = 3
const HEAD_LENGTH_MAX = 256

/** The bytes of a `data:` URI whose media type is JSON or missing. */
export function parseDataUri(uri: string, bytesMax: number): Uint8Array {
  const comma = uri.slice(0, HEAD_LENGTH_MAX).indexOf(',')
  if (comma === -1) throw new DocumentRefused('bad-uri', 'syntax')
  if (uri.length - comma > bytesMax * 2 * CHARACTERS_PER_BYTE) throw new DocumentRefused('too-large')

  const [type = '', ...parameters] = uri
    .slice('data:'.length, comma)
    .split(';')
    .map(part => part.trim())
  if (!JSON_TYPE.test(type)) throw new DocumentRefused('bad-uri', 'media-type')
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    if (name.toLowerCase() === 'charset' && !CHARSET.test(value)) {
      throw new DocumentRefused('bad-uri', 'charset')
    }
  }
  // A `#` does not start a fragment: people write documents into URIs by hand, including colours like #fff.
  const written = percentDecode(Buffer.from(uri.slice(comma + 1)))
  const bytes = parameters.at(-1)?.toLowerCase() === 'base64' ? decodeBase64(written) : written
  if (bytes.length > bytesMax) throw new DocumentRefused('too-large')
  return bytes
}

function decodeBase64(written: Uint8Array): Uint8Array {
  const text = Buffer.from(written.buffer, written.byteOffset, written.length)
    .toString('latin1')
    .replace(/[\t\n\f\r ]+/g, '')
  // Buffer would skip invalid characters and return a damaged document.
  if (!/^[\w+/-]*={0,2}$/.test(text)) throw new DocumentRefused('bad-uri', 'base64')
  return Buffer.from(text, 'base64')
}

const PERCENT = 0x25

/** A `%` without two hexadecimal digits after it is kept as it is. */
function percentDecode(written: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(written.length)
  let length = 0
  for (let index = 0; index < written.length; index += 1) {
    const byte = written[index] as number
    const high = byte === PERCENT ? hexDigit(written[index + 1]) : -1
    const low = high === -1 ? -1 : hexDigit(written[index + 2])
    decoded[length] = low === -1 ? byte : high * 16 + low
    if (low !== -1) index += 2
    length += 1
  }
  return decoded.subarray(0, length)
}

function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
