import type { Address } from '@solana/kit'
import { type ChainAccount, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './account.ts'
import { addressAt } from './address-bytes.ts'
import type { TokenBalance } from './history.ts'

/** The fields of a token account, which are the same in both token programs. */
export function decodeTokenAccount(account: ChainAccount | undefined) {
  if (!account || (account.owner !== TOKEN_PROGRAM && account.owner !== TOKEN_2022_PROGRAM)) return undefined
  const { data } = account
  // 165 bytes, or more with an account-type byte of 2 after them (Token-2022 extensions).
  if (data.length < 165 || (data.length > 165 && data[165] !== 2)) return undefined
  if (data[108] === 0) return undefined
  return {
    mint: addressAt(data, 0),
    owner: addressAt(data, 32),
    amount: u64At(data, 64),
    delegate: data[72] === 1 ? addressAt(data, 76) : undefined,
    state: data[108] === 2 ? ('frozen' as const) : ('initialized' as const),
    isNative: data[109] === 1,
    nativeReserve: data[109] === 1 ? u64At(data, 113) : undefined,
    delegatedAmount: u64At(data, 121),
    closeAuthority: data[129] === 1 ? addressAt(data, 133) : undefined,
  }
}

export function decodeMint(account: ChainAccount | undefined) {
  if (!account || (account.owner !== TOKEN_PROGRAM && account.owner !== TOKEN_2022_PROGRAM)) return undefined
  const { data } = account
  if (data.length !== 82 && (data.length <= 165 || data[165] !== 1)) return undefined
  if (data[45] !== 1) return undefined
  return {
    mintAuthority: data[0] === 1 ? addressAt(data, 4) : undefined,
    supply: u64At(data, 36),
    decimals: data[44] as number,
    freezeAuthority: data[46] === 1 ? addressAt(data, 50) : undefined,
  }
}

export function tokenBalances(
  keys: readonly Address[],
  read: (address: Address) => ChainAccount | undefined,
): TokenBalance[] {
  return keys.flatMap((key, accountIndex) => {
    const account = read(key)
    const token = decodeTokenAccount(account)
    if (!account || !token) return []
    const decimals = decodeMint(read(token.mint))?.decimals ?? 0
    return [
      {
        accountIndex,
        mint: token.mint,
        owner: token.owner,
        programId: account.owner,
        amount: token.amount,
        decimals,
      },
    ]
  })
}

/** An amount in a node's JSON format. */
export function uiTokenAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  const uiAmountString = fraction ? `${whole}.${fraction}` : whole
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

const u64At = (data: Uint8Array, offset: number): bigint =>
  new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true)
