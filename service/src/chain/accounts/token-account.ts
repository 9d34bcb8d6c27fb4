import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses/programs.ts'
import { officialClients, once } from '../official-clients.ts'
import { type Decoded, decodeAccount } from './decoded.ts'

export interface TokenAccount {
  mint: Address
  owner: Address
  amount: bigint
  tokenProgram: Address
}

/** What someone holds of a token. Money sent to the address beforehand makes no token account: that is `foreign`. */
export const decodeTokenAccount = (account: ChainAccount): Decoded<TokenAccount> =>
  decodeAccount(account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM], ({ owner: tokenProgram, data }) => {
    if (data.length < TOKEN_ACCOUNT_BYTES) return data.length === 0 ? 'malformed' : 'other-kind'
    if (data.length > TOKEN_ACCOUNT_BYTES) {
      const extended = tokenProgram === TOKEN_2022_PROGRAM && data.length !== MULTISIG_BYTES
      if (!extended || data[TOKEN_ACCOUNT_BYTES] !== TOKEN_ACCOUNT) return 'other-kind'
    }
    const [token] = serializer().deserialize(data)
    if (token.state === officialClients.toolbox().TokenState.Uninitialized) return 'malformed'
    return {
      mint: token.mint as string as Address,
      owner: token.owner as string as Address,
      amount: token.amount,
      tokenProgram,
    }
  })

/** Token-2022 writes behind these bytes what kind of account it is, and then extensions. */
const TOKEN_ACCOUNT_BYTES = 165
const TOKEN_ACCOUNT = 2
const MULTISIG_BYTES = 355

const serializer = once(() => officialClients.toolbox().getTokenAccountDataSerializer())
