import type { Address } from '@slipway/schema/address'
import { LRUCache } from 'lru-cache'
import type { AccountReader, ChainAccount } from '../chain/account-reader.ts'
import { associatedTokenAddress } from '../chain/addresses/addresses.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '../chain/addresses/programs.ts'
import type { Reward } from './reward.ts'

/** Which token program a mint belongs to, and whether the wallet has an account for it. */
export interface QuoteToken {
  program: Address
  hasAccount: boolean
}

export interface TokenFacts {
  /** The token accounts that a claim for this wallet will most likely ask for: to be read along with its buckets. */
  expect(wallet: Address): { mint: Address; account: Address }[]
  /** What reading them has shown. */
  learn(expected: readonly { mint: Address }[], accounts: readonly ChainAccount[]): Map<Address, QuoteToken>
  /**
   * The rest of what these claims need. It costs a second read only where the first could not know what to ask for: the
   * first claim of a wallet in a token other than wrapped native currency, and a pool that does not name its token
   * programs.
   */
  complete(
    reader: AccountReader,
    wallet: Address,
    known: ReadonlyMap<Address, QuoteToken>,
    claims: readonly Reward[],
  ): Promise<{ quote: Map<Address, QuoteToken>; programOf(mint: Address): Address | undefined }>
}

const TOKEN_PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
const MINTS_MAX = 20_000
const WALLETS_MAX = 5_000
/** Of a wallet that is paid in more tokens than this, the others are read second. */
const EXPECTED_MAX = 8

/** For one network. A mint stays with its program for ever, so that is remembered; whether an account exists never is. */
export function createTokenFacts(): TokenFacts {
  const programs = new LRUCache<Address, Address>({ max: MINTS_MAX })
  const mintsOfWallet = new LRUCache<Address, Address[]>({ max: WALLETS_MAX })
  const programOf = (mint: Address) => (mint === WRAPPED_NATIVE_MINT ? TOKEN_PROGRAM : programs.get(mint))

  function remember(accounts: readonly ChainAccount[]): void {
    for (const account of accounts)
      if (account.exists && TOKEN_PROGRAMS.includes(account.owner))
        programs.set(account.address, account.owner)
  }

  const tokenOf = (program: Address, account: ChainAccount | undefined): QuoteToken => ({
    program,
    // Money that was sent to the address before there is an account does not make it one.
    hasAccount: account?.exists === true && account.owner === program,
  })

  return {
    expect: wallet =>
      [WRAPPED_NATIVE_MINT, ...(mintsOfWallet.get(wallet) ?? [])].flatMap(mint => {
        const program = programOf(mint)
        return program ? [{ mint, account: associatedTokenAddress(mint, wallet, program) }] : []
      }),

    learn: (expected, accounts) =>
      new Map(
        expected.flatMap(({ mint }, index) => {
          const program = programOf(mint)
          return program ? [[mint, tokenOf(program, accounts[index])]] : []
        }),
      ),

    async complete(reader, wallet, known, claims) {
      const quote = new Map(known)
      const missing = [...new Set(claims.map(({ quoteMint }) => quoteMint))].filter(mint => !quote.has(mint))
      const bases = claims.flatMap(({ baseMint, pool, uncollected }) =>
        uncollected > 0n && !pool?.baseTokenProgram && !programOf(baseMint) ? [baseMint] : [],
      )
      if (missing.length + bases.length === 0) return { quote, programOf }
      // The program is not known yet, and with it the account's address: both are asked for, so that one read is enough.
      const accounts = (mint: Address) =>
        TOKEN_PROGRAMS.map(program => associatedTokenAddress(mint, wallet, program))
      const addresses = [...missing, ...bases, ...missing.flatMap(accounts)]
      const read = (await reader.fetchAccounts(addresses)).accounts
      const byAddress = new Map(read.map(account => [account.address, account]))
      remember(read.slice(0, missing.length + bases.length))
      for (const mint of missing) {
        const program = programOf(mint)
        if (!program) continue
        quote.set(mint, tokenOf(program, byAddress.get(associatedTokenAddress(mint, wallet, program))))
      }
      const paidIn = [...(mintsOfWallet.get(wallet) ?? []), ...missing]
      if (missing.length > 0) mintsOfWallet.set(wallet, [...new Set(paidIn)].slice(-EXPECTED_MAX))
      return { quote, programOf }
    },
  }
}
