import type { Address } from '@solana/kit'
import {
  type ChainAccount,
  type Commitment,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../ledger/account.ts'
import type { Chain } from '../../ledger/create-chain.ts'
import { decodeMint, decodeTokenAccount, uiTokenAmount } from '../../ledger/token-balances.ts'
import { accountFormat, encodeAccount } from '../encode-account.ts'
import { invalidParams } from '../json-rpc.ts'
import type { Methods } from '../params.ts'
import { type Params, resolveCommitment, toAddress, withContext } from '../params.ts'

const LARGEST_MAX = 20

export const tokenMethods: Methods = {
  getTokenAccountBalance({ chain }, params) {
    const address = params.address(0)
    const commitment = resolveCommitment(chain, params.config(1))
    const account = chain.account(address, commitment)
    if (!account) throw invalidParams('Invalid param: could not find account')
    const token = decodeTokenAccount(account)
    if (!token) throw invalidParams('Invalid param: not a Token account')
    return withContext(
      chain,
      commitment,
      uiTokenAmount(token.amount, decimalsOf(chain, token.mint, commitment)),
    )
  },

  getTokenSupply({ chain }, params) {
    const address = params.address(0)
    const commitment = resolveCommitment(chain, params.config(1))
    const account = chain.account(address, commitment)
    if (!account) throw invalidParams('Invalid param: could not find account')
    if (!isTokenProgram(account.owner)) throw invalidParams('Invalid param: not a Token mint')
    const mint = decodeMint(account)
    if (!mint) throw invalidParams('Invalid param: mint could not be unpacked')
    return withContext(chain, commitment, uiTokenAmount(mint.supply, mint.decimals))
  },

  getTokenAccountsByOwner: (context, params) => tokenAccounts(context.chain, params, token => token.owner),
  getTokenAccountsByDelegate: (context, params) =>
    tokenAccounts(context.chain, params, token => token.delegate),

  getTokenLargestAccounts({ chain }, params) {
    const mint = params.address(0)
    const commitment = resolveCommitment(chain, params.config(1))
    const decimals = decimalsOf(chain, mint, commitment)
    const value = allTokenAccounts(chain, commitment)
      .filter(({ token }) => token.mint === mint)
      .sort((a, b) => (a.token.amount > b.token.amount ? -1 : 1))
      .slice(0, LARGEST_MAX)
      .map(({ address, token }) => ({ address, ...uiTokenAmount(token.amount, decimals) }))
    return withContext(chain, commitment, value)
  },
}

type Token = NonNullable<ReturnType<typeof decodeTokenAccount>>

function tokenAccounts(chain: Chain, params: Params, who: (token: Token) => Address | undefined) {
  const wanted = params.address(0)
  const by = params.config(1)
  const config = params.config(2)
  const mint = by.mint === undefined ? undefined : toAddress(by.mint)
  const program = by.programId === undefined ? undefined : toAddress(by.programId)
  if (mint === undefined && program === undefined) {
    throw invalidParams('Invalid params: expected one of `mint`, `programId`.')
  }
  if (program !== undefined && !isTokenProgram(program))
    throw invalidParams('Invalid param: unrecognized Token program id')
  const format = accountFormat(config)
  const commitment = resolveCommitment(chain, config)
  if (mint) decimalsOf(chain, mint, commitment)
  const value = allTokenAccounts(chain, commitment)
    .filter(({ account, token }) => {
      if (who(token) !== wanted) return false
      return mint ? token.mint === mint : account.owner === program
    })
    .map(({ address, account }) => ({
      account: encodeAccount(account, format, of => chain.account(of, commitment)),
      pubkey: address,
    }))
  return withContext(chain, commitment, value)
}

function allTokenAccounts(
  chain: Chain,
  commitment: Commitment,
): { address: Address; account: ChainAccount; token: Token }[] {
  return [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap(program =>
    [...chain.programAccounts(program, commitment)].flatMap(([address, account]) => {
      const token = decodeTokenAccount(account)
      return token ? [{ address, account, token }] : []
    }),
  )
}

function decimalsOf(chain: Chain, mint: Address, commitment: Commitment): number {
  const account = chain.account(mint, commitment)
  if (!account) throw invalidParams('Invalid param: could not find mint')
  const decoded = decodeMint(account)
  if (!decoded) throw invalidParams('Invalid param: Token mint could not be unpacked')
  return decoded.decimals
}

const isTokenProgram = (address: Address): boolean =>
  address === TOKEN_PROGRAM || address === TOKEN_2022_PROGRAM
