import { addressAt } from '@slipway/launch-model/bytes/base58'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import { TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'

interface TokenAccount {
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

const HOLDER = 32
const AMOUNT = 64
const DELEGATE = 72
const STATE = 108
const FROZEN = 2
const CLOSE_AUTHORITY = 129

/** The beginning of a token account, for what is only shown. */
export const HOLDING_BYTES = STATE + 1

interface Holding {
  mint: Address
  amount: bigint
  /** Whether the token's freeze authority has stopped it. */
  isFrozen: boolean
}

/** A token account of this wallet, of which at least `HOLDING_BYTES` were read. */
export const decodeHolding = (account: ChainAccount, wallet: Uint8Array): Decoded<Holding> =>
  decodeProgramAccount(account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM], ({ data }) =>
    data.length < HOLDING_BYTES || !wallet.every((byte, at) => byte === data[HOLDER + at])
      ? 'other-kind'
      : { mint: addressAt(data, 0), amount: amountOf(data), isFrozen: data[STATE] === FROZEN },
  )

const amountOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset).getBigUint64(AMOUNT, true)

/** A token account of either token program. */
export const decodeTokenAccount = (account: ChainAccount): Decoded<TokenAccount> =>
  decodeProgramAccount(account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM], ({ data }) =>
    data.length < TOKEN_ACCOUNT_BYTES
      ? 'other-kind'
      : {
          mint: addressAt(data, 0),
          holder: addressAt(data, HOLDER),
          amount: amountOf(data),
          isDelegated: data[DELEGATE] === 1,
          isFrozen: data[STATE] === FROZEN,
          isClosedByOthers:
            data[CLOSE_AUTHORITY] === 1 && addressAt(data, CLOSE_AUTHORITY + 4) !== addressAt(data, HOLDER),
        },
  )
