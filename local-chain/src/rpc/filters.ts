import { getBase58Encoder } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { invalidParams } from './json-rpc.ts'
import { isCount, unknownVariant, wrongType } from './params.ts'

const FILTERS_MAX = 4
const COMPARED_BYTES_MAX = 128
/** The longest encodings of 128 bytes: longer texts are refused before they are decoded. */
const BASE58_LENGTH_MAX = 175
const BASE64_LENGTH_MAX = 172

export type ProgramFilter = (account: ChainAccount) => boolean

/** The filters of `getProgramAccounts` and `programSubscribe`; an account must match all of them. */
export function parseFilters(raw: unknown): ProgramFilter[] {
  if (raw === undefined || raw === null) return []
  if (!Array.isArray(raw)) throw wrongType(raw, 'a sequence')
  if (raw.length > FILTERS_MAX) throw invalidParams(`Too many filters provided; max ${FILTERS_MAX}`)
  return raw.map(parseFilter)
}

function parseFilter(raw: unknown): ProgramFilter {
  if (raw === 'tokenAccountState') return account => decodeTokenAccount(account) !== undefined
  if (typeof raw !== 'object' || raw === null) throw wrongType(raw, 'string or map')
  if ('dataSize' in raw) {
    const { dataSize } = raw
    if (!isCount(dataSize)) throw wrongType(dataSize, 'u64')
    return account => account.data.length === dataSize
  }
  if ('memcmp' in raw && typeof raw.memcmp === 'object' && raw.memcmp !== null) {
    const { offset, bytes, encoding } = raw.memcmp as Record<string, unknown>
    if (!isCount(offset)) throw wrongType(offset, 'usize')
    const wanted = comparedBytes(bytes, encoding)
    return account => {
      const end = offset + wanted.length
      if (end > account.data.length) return false
      return Buffer.compare(account.data.subarray(offset, end), wanted) === 0
    }
  }
  throw unknownVariant(Object.keys(raw)[0] ?? '', 'dataSize', 'memcmp', 'tokenAccountState')
}

const ENCODINGS = ['base58', 'base64', 'bytes']

function comparedBytes(bytes: unknown, encoding: unknown): Uint8Array {
  if (encoding !== undefined && encoding !== null && !ENCODINGS.includes(encoding as string)) {
    throw unknownVariant(encoding, ...ENCODINGS)
  }
  if (Array.isArray(bytes) && bytes.every(isByte)) return limited(Uint8Array.from(bytes))
  if (typeof bytes !== 'string')
    throw invalidParams('Invalid params: data did not match any variant of untagged enum DataType.')
  if (bytes.length > (encoding === 'base64' ? BASE64_LENGTH_MAX : BASE58_LENGTH_MAX)) throw tooLarge()
  return limited(encoding === 'base64' ? fromBase64(bytes) : fromBase58(bytes))
}

const isByte = (value: unknown): boolean => isCount(value) && value < 256

function fromBase64(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  // Node ignores invalid characters, so only a text that encodes to itself again is valid.
  if (bytes.toString('base64') !== text)
    throw invalidParams('Invalid param: Base64DecodeError(InvalidPadding)')
  return new Uint8Array(bytes)
}

function fromBase58(text: string): Uint8Array {
  const index = text.search(/[^1-9A-HJ-NP-Za-km-z]/)
  if (index < 0) return new Uint8Array(getBase58Encoder().encode(text))
  const fault = `InvalidCharacter { character: '${text[index]}', index: ${index} }`
  throw invalidParams(`Invalid param: Base58DecodeError(${fault})`)
}

function limited(bytes: Uint8Array): Uint8Array {
  if (bytes.length > COMPARED_BYTES_MAX) throw tooLarge()
  return bytes
}
const tooLarge = () => invalidParams('Invalid param: DataTooLarge')
