import { READONLY_SIGNER } from '@slipway/launch-model/call'
import { tokensOf } from '@slipway/launch-model/calls/trades'
import { RENT_SYSVAR, TOKEN_2022_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { type Rent, TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import type { Funds, Step } from '@slipway/launch-model/trade/wrap-native'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeRent } from '../../chain/accounts/rent.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import { formatSol, formatTokens } from '../../lib/format-units.ts'
import type { MarketReading } from './read-market.ts'

const SIGNATURE_LAMPORTS = 5_000n
const MICRO = 1_000_000n
/** Core's `execute` charges the rent of seven bytes. */
const EXECUTE_FEE_BYTES = 7
/** Token-2022 adds the immutable-owner extension to associated accounts. Mints that add more are restricted. */
const TOKEN_2022_ACCOUNT_BYTES = 170

/** The rent of a wallet's account for a token. */
export const accountRentOf = (rent: Rent, { program }: { program: Address }): bigint =>
  rent(program === TOKEN_2022_PROGRAM ? TOKEN_2022_ACCOUNT_BYTES : TOKEN_ACCOUNT_BYTES)

/** What a transaction costs the trader and the payer. */
export interface Spending extends Funds {
  steps: readonly Step[]
  /** The compute limit of each transaction. */
  units: readonly number[]
  /** What the trader pays. */
  pays?: { token: 'base' | 'quote'; amount: bigint }
  /** Native currency that the trader receives. */
  receives?: bigint
  /** Rent of accounts that stay, and other amounts that the payer pays. The rent of a quote token account is added. */
  keptRent?: bigint
  /** Rent that the payer gets back in the end. */
  returned?: bigint
}

/**
 * Throws `INSUFFICIENT_BALANCE` if the trader can't pay for the trade, or the payer for fees and rent. Returns what
 * these cost.
 */
export function checkBalances({ others, shape }: MarketReading, spending: Spending): bigint {
  const { trader, payer, tokens, pays, receives = 0n } = spending
  const rent = decodeRent(others.get(RENT_SYSVAR))
  const isNative = pays?.token === 'quote' && tokens.quote.mint === WRAPPED_NATIVE_MINT
  const traded = isNative ? pays.amount : 0n
  const costs = costOf(spending, rent)
  const needs = (owner: Address) => (owner === trader ? traded : 0n) + (owner === payer ? costs.during : 0n)
  const spends = (owner: Address) =>
    (owner === trader ? traded - receives : 0n) + (owner === payer ? costs.after : 0n)
  for (const owner of new Set([trader, payer])) {
    const has = lamportsAt(others.get(owner))
    const left = has - spends(owner)
    const isEmptied = left === 0n || spends(owner) <= 0n
    const least = isEmptied ? needs(owner) : max(needs(owner), spends(owner) + rent(0))
    if (has < least)
      throw insufficient(owner === trader && pays ? 'amount' : 'payer', formatSol(has), formatSol(least))
  }
  if (isNative || !pays) return costs.after
  const token = shape[pays.token]
  const account = decodeTokenAccount(others.get(tokensOf(token, trader)) as ChainAccount)
  const has = account.exists ? account.amount : 0n
  const format = (amount: bigint) => formatTokens(amount, token.decimals)
  if (has < pays.amount) throw insufficient('amount', format(has), format(pays.amount))
  return costs.after
}

/** What the payer must have while the transactions run, and what they cost in the end: some rent comes back. */
function costOf(spending: Spending, rent: Rent): { during: bigint; after: bigint } {
  const { steps, trader, payer, isAgent, holds, accountRent, keptRent = 0n, returned = 0n } = spending
  const executes = BigInt(steps.filter(({ byAgent }) => byAgent).length)
  const traderSigns = steps.some(({ call }) =>
    call.accounts.some(({ address, role }) => address === trader && role >= READONLY_SIGNER),
  )
  const signers = trader !== payer && !isAgent && traderSigns ? 2n : 1n
  const priority = spending.units.reduce(
    (sum, units) => sum + (BigInt(units) * spending.priorityFee + MICRO - 1n) / MICRO,
    0n,
  )
  const fees =
    signers * BigInt(spending.units.length) * SIGNATURE_LAMPORTS +
    priority +
    executes * (rent(EXECUTE_FEE_BYTES) - rent(0))
  const isTemporary = spending.tokens.quote.mint === WRAPPED_NATIVE_MINT
  const opensQuote =
    !holds.quote && steps.some(({ call }) => opens(call, tokensOf(spending.tokens.quote, trader)))
  const kept = keptRent + (opensQuote && !isTemporary ? accountRentOf(rent, spending.tokens.quote) : 0n)
  const temporary = opensQuote && isTemporary ? accountRent : 0n
  return { during: fees + kept + temporary, after: fees + kept - returned }
}

const opens = ({ kind, accounts }: Step['call'], account: Address): boolean =>
  kind.name === 'openTokenAccount' && accounts[1]?.address === account

export const lamportsAt = (account: ChainAccount | undefined): bigint =>
  account?.exists ? account.lamports : 0n

const max = (a: bigint, b: bigint) => (a > b ? a : b)

export const insufficient = (path: string, has: string, needs: string) =>
  new ServiceError('INSUFFICIENT_BALANCE', {
    details: [{ path: [path], message: `has ${has}, needs ${needs}` }],
  })
