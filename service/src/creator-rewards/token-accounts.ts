import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import type { Token } from '@slipway/launch-model/calls/tokens'
import { tokensOf } from '@slipway/launch-model/calls/trades'
import {
  RENT_SYSVAR,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { AccountReader, ChainAccount } from '../chain/account-reader.ts'
import { tokenAccountBytes } from '../chain/accounts/mint.ts'
import { createLru } from '../lib/create-lru.ts'
import type { CheckMissing } from './check-missing.ts'
import type { Reward } from './read-rewards.ts'

export interface TokenAccounts {
  /** What a claim for this wallet will probably need: token accounts, and the rent. Read together with its buckets. */
  expectedFor(wallet: Address): Address[]
  /**
   * Everything that these claims need, given the accounts that were read already. Costs a second read only for the
   * first claim of a wallet in a token other than wrapped native currency, and for a pool that does not name its
   * token programs, or whose token belongs to Token-2022.
   */
  fetchFor(
    wallet: Address,
    claims: readonly Reward[],
    accounts: readonly ChainAccount[],
  ): Promise<ClaimTokens>
}

export interface ClaimTokens {
  /**
   * By quote mint: the token, the wallet's account for it if it exists, and the lamports at the account's address.
   */
  quotes: Map<Address, { token: Token; account: ChainAccount | undefined; lamports: bigint }>
  /** Any other token; undefined if there is no such mint. */
  tokenOf(mint: Address): Token | undefined
  /** What rent costs, as it was read. */
  rentSysvar: ChainAccount | undefined
  /** Set if the chain lacks a mint and can't be trusted: a claim may be left out for that reason alone. */
  doubt: unknown
}

const NATIVE: Token = { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM }
const TOKEN_PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
const MINTS_MAX = 20_000
const WALLETS_MAX = 5_000
/** If a wallet is paid in more tokens than this, the others need a second read. */
const EXPECTED_MAX = 8

/**
 * For one network. A mint never changes its program or what its accounts contain, so that is cached; whether an account
 * exists never is.
 */
export function createTokenAccounts(reader: AccountReader, checkMissing: CheckMissing): TokenAccounts {
  const tokens = createLru<Address, Token>(MINTS_MAX)
  const mintsOfWallet = createLru<Address, Address[]>(WALLETS_MAX)
  const tokenOf = (mint: Address) => (mint === WRAPPED_NATIVE_MINT ? NATIVE : tokens.get(mint))
  const accountOf = (wallet: Address, mint: Address) => {
    const token = tokenOf(mint)
    return token && tokensOf(token, wallet)
  }

  return {
    expectedFor: wallet => [
      RENT_SYSVAR,
      ...[WRAPPED_NATIVE_MINT, ...(mintsOfWallet.get(wallet) ?? [])].flatMap(
        mint => accountOf(wallet, mint) ?? [],
      ),
    ],

    async fetchFor(wallet, claims, accounts) {
      const known = new Map(accounts.map(account => [account.address, account]))
      const quoteMints = new Set(claims.map(({ quoteMint }) => quoteMint))
      const missing = [...quoteMints].filter(mint => {
        const account = accountOf(wallet, mint)
        return !account || !known.has(account)
      })
      const bases = claims.flatMap(({ baseMint, pool, uncollected }) =>
        uncollected > 0n && pool?.baseTokenProgram !== TOKEN_PROGRAM && !tokenOf(baseMint) ? [baseMint] : [],
      )
      let doubt: unknown
      if (missing.length + bases.length > 0) {
        const mints = [...missing, ...bases]
        // The address of a token account depends on the program, so both are read: one round trip is enough.
        const candidates = missing.flatMap(mint =>
          TOKEN_PROGRAMS.map(program => associatedTokenAddress(mint, wallet, program)),
        )
        const readAll = async () => (await reader.fetchAccounts([...mints, ...candidates])).accounts
        let read = await readAll()
        const missingMints = () =>
          read.slice(0, mints.length).filter(({ address, exists }) => !exists && !tokenOf(address))
        if (missingMints().length > 0) {
          const check = await checkMissing(
            missingMints().map(({ address }) => address),
            account => account.exists,
          )
          if (check.isElsewhere) read = await readAll()
          if (missingMints().length > 0)
            doubt = check.isElsewhere ? new ServiceError('SERVICE_UNAVAILABLE') : check.doubt
        }
        for (const account of read) known.set(account.address, account)
        for (const mint of read.slice(0, mints.length))
          if (mint.exists && TOKEN_PROGRAMS.includes(mint.owner))
            tokens.set(mint.address, {
              mint: mint.address,
              program: mint.owner,
              accountBytes: tokenAccountBytes(mint),
            })
        const paidIn = new Set([...(mintsOfWallet.get(wallet) ?? []), ...missing])
        if (missing.length > 0) mintsOfWallet.set(wallet, [...paidIn].slice(-EXPECTED_MAX))
      }
      const quotes: ClaimTokens['quotes'] = new Map()
      for (const mint of quoteMints) {
        const token = tokenOf(mint)
        if (!token) continue
        const account = known.get(tokensOf(token, wallet))
        // Money sent to the address before the account exists does not create the account.
        quotes.set(mint, {
          token,
          account: account?.exists && account.owner === token.program ? account : undefined,
          lamports: account?.exists ? account.lamports : 0n,
        })
      }
      return { quotes, tokenOf, rentSysvar: known.get(RENT_SYSVAR), doubt }
    },
  }
}
