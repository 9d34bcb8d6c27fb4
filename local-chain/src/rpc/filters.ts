import { getBase58Encoder } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import { decodeTokenAccount } from '../ledger/token-balances.ts'
import { invalidParams } from './errors.ts'
import { isCount, wrongType } from './params.ts'

const FILTERS_MAX = 4
const COMPARED_BYTES_MAX = 128

export type ProgramFilter = (account: ChainAccount) => boolean

/** The filters of `getProgramAccounts` and `programSubscribe`; all of them must hold. */
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
  throw invalidParams(
    `Invalid params: unknown variant \`${Object.keys(raw)[0] ?? ''}\`, expected one of \`dataSize\`, \`memcmp\`, \`tokenAccountState\`.`,
  )
}

function comparedBytes(bytes: unknown, encoding: unknown): Uint8Array {
  if (Array.isArray(bytes)) return limited(Uint8Array.from(bytes))
  if (typeof bytes !== 'string') throw wrongType(bytes, 'a string')
  if (encoding === 'base64') return limited(new Uint8Array(Buffer.from(bytes, 'base64')))
  // The limit of a node's own check, before any decoding: base58 of 128 bytes has at most 175 characters.
  if (bytes.length > 175) throw tooLarge()
  try {
    return limited(new Uint8Array(getBase58Encoder().encode(bytes)))
  } catch {
    throw invalidParams('Invalid param: filter bytes are not base58')
  }
}

function limited(bytes: Uint8Array): Uint8Array {
  if (bytes.length > COMPARED_BYTES_MAX) throw tooLarge()
  return bytes
}
const tooLarge = () =>
  invalidParams('Invalid param: encoded binary (base 58) data should be less than 128 bytes')
