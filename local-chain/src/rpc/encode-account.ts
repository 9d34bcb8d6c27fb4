import { type Address, getBase58Decoder } from '@solana/kit'
import { type ChainAccount, TOKEN_2022_PROGRAM } from '../ledger/account.ts'
import { decodeMint, decodeTokenAccount, uiTokenAmount } from '../ledger/token-balances.ts'
import { invalidRequest, RawJson, toJson } from './json-rpc.ts'
import { type Config, isCount, unknownVariant, wrongType } from './params.ts'
import { zstdFrame } from './zstd-frame.ts'

const ENCODINGS = ['binary', 'base58', 'base64', 'base64+zstd', 'jsonParsed'] as const
type AccountEncoding = (typeof ENCODINGS)[number]
type AccountFormat = {
  readonly encoding: AccountEncoding
  readonly slice?: { readonly offset: number; readonly length: number }
}

// Rent is no longer collected, so every account has this epoch.
const RENT_EPOCH = 18446744073709551615n
const BASE58_BYTES_MAX = 128
const base58 = getBase58Decoder()

export function accountFormat(config: Config, fallback: AccountEncoding = 'binary'): AccountFormat {
  const encoding = (config.encoding ?? fallback) as AccountEncoding
  if (!ENCODINGS.includes(encoding)) {
    throw unknownVariant(config.encoding, 'binary', 'base64', 'base58', 'jsonParsed', 'base64+zstd')
  }
  const slice = config.dataSlice
  if (slice === undefined || slice === null) return { encoding }
  const { offset, length } = slice as { offset?: unknown; length?: unknown }
  if (!isCount(offset)) throw wrongType(offset, 'usize')
  if (!isCount(length)) throw wrongType(length, 'usize')
  return { encoding, slice: { offset, length } }
}

export function encodeAccount(
  account: ChainAccount,
  format: AccountFormat,
  read: (address: Address) => ChainAccount | undefined,
): RawJson {
  return writeAccount(account, encodeData(account, format, read))
}

/** Like `encodeAccount`, but a notification cannot fail: data too large for base58 becomes an error text. */
export function encodeNotifiedAccount(
  account: ChainAccount,
  format: AccountFormat,
  read: (address: Address) => ChainAccount | undefined,
): RawJson {
  const inBase58 = format.encoding === 'binary' || format.encoding === 'base58'
  if (!inBase58 || sliceOf(account, format).length <= BASE58_BYTES_MAX)
    return encodeAccount(account, format, read)
  const text = 'error: data too large for bs58 encoding'
  return writeAccount(account, format.encoding === 'binary' ? text : [text, 'base58'])
}

const writeAccount = ({ executable, lamports, owner, data }: ChainAccount, encoded: unknown): RawJson =>
  new RawJson(
    `{"data":${toJson(encoded)},"executable":${executable},"lamports":${lamports},"owner":"${owner}","rentEpoch":${RENT_EPOCH},"space":${data.length}}`,
  )

const sliceOf = ({ data }: ChainAccount, { slice }: AccountFormat): Uint8Array =>
  slice ? data.subarray(slice.offset, slice.offset + slice.length) : data

function encodeData(
  account: ChainAccount,
  format: AccountFormat,
  read: (address: Address) => ChainAccount | undefined,
): unknown {
  const { encoding } = format
  if (encoding === 'jsonParsed') {
    const parsed = parseTokenData(account, read)
    if (parsed) return parsed
  }
  const data = sliceOf(account, format)
  switch (encoding) {
    case 'binary':
    case 'base58': {
      if (data.length > BASE58_BYTES_MAX) {
        throw invalidRequest(
          'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.',
        )
      }
      const text = base58.decode(data)
      return encoding === 'binary' ? text : [text, 'base58']
    }
    case 'base64+zstd':
      return [zstdFrame(data).toString('base64'), 'base64+zstd']
    default:
      return new RawJson(
        `["${Buffer.from(data.buffer, data.byteOffset, data.length).toString('base64')}","base64"]`,
      )
  }
}

/** The `jsonParsed` form of mints and token accounts. All other accounts are returned in base64. */
function parseTokenData(account: ChainAccount, read: (address: Address) => ChainAccount | undefined) {
  const program = account.owner === TOKEN_2022_PROGRAM ? 'spl-token-2022' : 'spl-token'
  const space = account.data.length
  const mint = decodeMint(account)
  if (mint) {
    return {
      program,
      space,
      parsed: {
        type: 'mint',
        info: {
          decimals: mint.decimals,
          freezeAuthority: mint.freezeAuthority ?? null,
          isInitialized: true,
          mintAuthority: mint.mintAuthority ?? null,
          supply: mint.supply.toString(),
        },
      },
    }
  }
  const token = decodeTokenAccount(account)
  if (!token) return undefined
  const decimals = decodeMint(read(token.mint))?.decimals
  if (decimals === undefined) return undefined
  return {
    program,
    space,
    parsed: {
      type: 'account',
      info: {
        isNative: token.isNative,
        mint: token.mint,
        owner: token.owner,
        state: token.state,
        tokenAmount: uiTokenAmount(token.amount, decimals),
        ...(token.delegate && {
          delegate: token.delegate,
          delegatedAmount: uiTokenAmount(token.delegatedAmount, decimals),
        }),
        ...(token.nativeReserve !== undefined && {
          rentExemptReserve: uiTokenAmount(token.nativeReserve, decimals),
        }),
        ...(token.closeAuthority && { closeAuthority: token.closeAuthority }),
      },
    },
  }
}
