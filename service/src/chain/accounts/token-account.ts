import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { addressAt } from '../addresses/base58.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses/programs.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'

interface TokenAccount {
  mint: Address
  amount: bigint
}

const AMOUNT = 64
const TOKEN_ACCOUNT_BYTES = 165

/** A token account of either token program. */
export const decodeTokenAccount = (account: ChainAccount): Decoded<TokenAccount> =>
  decodeProgramAccount(account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM], ({ data }) =>
    data.length < TOKEN_ACCOUNT_BYTES
      ? 'other-kind'
      : {
          mint: addressAt(data, 0),
          amount: new DataView(data.buffer, data.byteOffset).getBigUint64(AMOUNT, true),
        },
  )
