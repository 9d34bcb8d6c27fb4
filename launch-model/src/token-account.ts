import type { Address } from '@slipway/schema/address'
import { addressAt } from './bytes/base58.ts'
import { TOKEN_ACCOUNT_BYTES } from './rent.ts'

export interface TokenAccount {
  mint: Address
  /** The wallet that controls it. */
  holder: Address
  amount: bigint
  /** Whether someone else may spend from it. That is lost if it is closed and created again. */
  isDelegated: boolean
  /** Whether someone else may close it, and take what it holds if that is native currency. */
  isClosedByOthers: boolean
  /** Whether the token's freeze authority has stopped it. */
  isFrozen: boolean
}

export const TOKEN_HOLDER = 32
const AMOUNT = 64
const DELEGATE = 72
export const TOKEN_STATE = 108
const FROZEN = 2
const CLOSE_AUTHORITY = 129

export const amountIn = ({ buffer, byteOffset }: Uint8Array): bigint =>
  new DataView(buffer, byteOffset).getBigUint64(AMOUNT, true)
export const isFrozen = (data: Uint8Array): boolean => data[TOKEN_STATE] === FROZEN

/** A token account of either token program. Undefined if it is shorter than one. */
export const decodeTokenAccountData = (data: Uint8Array): TokenAccount | undefined =>
  data.length < TOKEN_ACCOUNT_BYTES
    ? undefined
    : {
        mint: addressAt(data, 0),
        holder: addressAt(data, TOKEN_HOLDER),
        amount: amountIn(data),
        isDelegated: data[DELEGATE] === 1,
        isFrozen: isFrozen(data),
        isClosedByOthers:
          data[CLOSE_AUTHORITY] === 1 &&
          addressAt(data, CLOSE_AUTHORITY + 4) !== addressAt(data, TOKEN_HOLDER),
      }
