import { tokensOf } from '@slipway/launch-model/calls/trades'
import { RENT_SYSVAR, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { computeLimitOf, planSwap, type Swap } from '@slipway/launch-model/trade/plan-swap'
import type { Address } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import type { ChainAccount } from '../../chain/account-reader.ts'
import { decodeRent } from '../../chain/accounts/rent.ts'
import { decodeTokenAccount } from '../../chain/accounts/token-account.ts'
import { formatSol, formatUnits } from '../../lib/format-units.ts'
import type { MarketReading } from './read-market.ts'

const SIGNATURE_LAMPORTS = 5_000n
const MICRO = 1_000_000n
/** What Core's `execute` takes is the rent of seven bytes. */
const EXECUTE_FEE_BYTES = 7

/** Throws `INSUFFICIENT_BALANCE` if the trader can't pay for the trade, or the payer for fees and rent. */
export function checkBalances({ others, shape }: MarketReading, swap: Swap): void {
  const { side, amountIn, trader, payer, tokens } = swap
  const rent = decodeRent(others.get(RENT_SYSVAR))
  const lamportsOf = (owner: Address) => {
    const account = others.get(owner)
    return account?.exists ? account.lamports : 0n
  }
  const isNativePurchase = side === 'buy' && tokens.quote.mint === WRAPPED_NATIVE_MINT
  const traded = isNativePurchase ? amountIn : 0n
  const costs = costOf(swap, rent)
  const needs = (owner: Address) => (owner === trader ? traded : 0n) + (owner === payer ? costs.during : 0n)
  const spends = (owner: Address) => (owner === trader ? traded : 0n) + (owner === payer ? costs.after : 0n)
  for (const owner of new Set([trader, payer])) {
    const has = lamportsOf(owner)
    const left = has - spends(owner)
    const isEmptied = left === 0n || spends(owner) === 0n
    const least = isEmptied ? needs(owner) : max(needs(owner), spends(owner) + rent(0))
    if (has < least)
      throw insufficient(owner === trader ? 'amount' : 'payer', formatSol(has), formatSol(least))
  }
  if (isNativePurchase) return
  const token = side === 'buy' ? shape.quote : shape.base
  const account = decodeTokenAccount(others.get(tokensOf(token, trader)) as ChainAccount)
  const has = account.exists ? account.amount : 0n
  const format = (amount: bigint) => `${formatUnits(amount, token.decimals)} tokens`
  if (has < amountIn) throw insufficient('amount', format(has), format(amountIn))
}

/** What the payer must have while the transaction runs, and what it costs in the end: some rent comes back. */
function costOf(swap: Swap, rent: (bytes: number) => bigint): { during: bigint; after: bigint } {
  const steps = planSwap(swap)
  const executes = BigInt(steps.filter(({ byAgent }) => byAgent).length)
  const signers = swap.trader === swap.payer || swap.isAgent ? 1n : 2n
  const units = BigInt(computeLimitOf(swap))
  const priority = (units * swap.priorityFee + MICRO - 1n) / MICRO
  const fees = signers * SIGNATURE_LAMPORTS + priority + executes * (rent(EXECUTE_FEE_BYTES) - rent(0))
  const opensBase = swap.side === 'buy' && !swap.holds.hasBase
  const isTemporary = swap.tokens.quote.mint === WRAPPED_NATIVE_MINT
  const kept = (opensBase ? swap.accountRent : 0n) + (swap.holds.quote || isTemporary ? 0n : swap.accountRent)
  const returned = swap.holds.quote || !isTemporary ? 0n : swap.accountRent
  return { during: fees + kept + returned, after: fees + kept }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)

const insufficient = (path: string, has: string, needs: string) =>
  new ServiceError('INSUFFICIENT_BALANCE', {
    details: [{ path: [path], message: `has ${has}, needs ${needs}` }],
  })
