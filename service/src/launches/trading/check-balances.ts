import { tokensOf } from '@slipway/launch-model/calls/trades'
import { RENT_SYSVAR, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Funds } from '@slipway/launch-model/trade/wrap-native'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeRent } from '../../chain/accounts/rent.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import { costsOf, type PaidTransaction, type PayerCosts } from '../../chain/transactions/payer-costs.ts'
import { formatSol, formatTokens } from '../../lib/format-units.ts'
import type { MarketReading } from './read-market.ts'

/** What transactions cost the trader and the payer. */
export interface Spending extends Funds {
  costs: PayerCosts
  /** What the trader pays. */
  pays?: { token: 'base' | 'quote'; amount: bigint }
  /** Native currency that the trader receives. */
  receives?: bigint
  /** Rent of accounts that existed before, which the payer gets. */
  returned?: bigint
}

/** What transactions cost the payer, given the accounts as they were read. */
export const payerCostsOf = (
  { others }: Pick<MarketReading, 'others'>,
  payer: Address,
  transactions: readonly PaidTransaction[],
): PayerCosts =>
  costsOf(transactions, payer, {
    rent: decodeRent(others.get(RENT_SYSVAR)),
    unopened(address) {
      const account = others.get(address)
      if (!account?.exists) return 0n
      return account.data.length > 0 ? undefined : account.lamports
    },
  })

/**
 * Throws `INSUFFICIENT_BALANCE` if the trader can't pay for the trade, or the payer for fees and rent. Returns what
 * these cost.
 */
export function checkBalances({ others, shape }: MarketReading, spending: Spending): bigint {
  const { trader, payer, tokens, pays, receives = 0n } = spending
  const rent = decodeRent(others.get(RENT_SYSVAR))
  const isNative = pays?.token === 'quote' && tokens.quote.mint === WRAPPED_NATIVE_MINT
  const traded = isNative ? pays.amount : 0n
  const { fees, rentsNow, rentsPeak } = spending.costs
  const costs = { during: fees + rentsPeak, after: fees + rentsNow - (spending.returned ?? 0n) }
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

export const lamportsAt = (account: ChainAccount | undefined): bigint =>
  account?.exists ? account.lamports : 0n

const max = (a: bigint, b: bigint) => (a > b ? a : b)

export const insufficient = (path: string, has: string, needs: string) =>
  new ServiceError('INSUFFICIENT_BALANCE', {
    details: [{ path: [path], message: `has ${has}, needs ${needs}` }],
  })
