import { addressAt } from '@slipway/launch-model/bytes/base58'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import {
  amountIn,
  decodeTokenAccountData,
  isFrozen,
  TOKEN_HOLDER,
  TOKEN_STATE,
  type TokenAccount,
} from '@slipway/launch-model/token-account'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'

/** The beginning of a token account, for what is only shown. */
export const HOLDING_BYTES = TOKEN_STATE + 1

interface Holding {
  mint: Address
  amount: bigint
  /** Whether the token's freeze authority has stopped it. */
  isFrozen: boolean
}

/** A token account of this wallet, of which at least `HOLDING_BYTES` were read. */
export const decodeHolding = (account: ChainAccount, wallet: Uint8Array): Decoded<Holding> =>
  decodeProgramAccount(account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM], ({ data }) =>
    data.length < HOLDING_BYTES || !wallet.every((byte, at) => byte === data[TOKEN_HOLDER + at])
      ? 'other-kind'
      : { mint: addressAt(data, 0), amount: amountIn(data), isFrozen: isFrozen(data) },
  )

/** A token account of either token program. */
export const decodeTokenAccount = (account: ChainAccount): Decoded<TokenAccount> =>
  decodeProgramAccount(
    account,
    [TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
    ({ data }) => decodeTokenAccountData(data) ?? 'other-kind',
  )
