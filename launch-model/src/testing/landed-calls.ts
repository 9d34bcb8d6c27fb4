import { encode, u64 } from '../bytes/codec.ts'
import { type Call, encodeCall } from '../call.ts'
import { swapOnCurveCall } from '../calls/trades.ts'
import type { LandedCall, LandedTransaction } from '../history/transaction.ts'
import { type Address, TOKEN_PROGRAM, WRAPPED_NATIVE_MINT } from '../programs.ts'

/** A call as a transaction has it. */
export function landed(call: Call, height = 1): LandedCall {
  const { program, accounts, data } = encodeCall(call)
  return { program, accounts: accounts.map(({ address }) => address), data, height }
}

/** A token transfer that a program made. */
export const transferred = (from: Address, to: Address, amount: bigint, height = 2): LandedCall => ({
  program: TOKEN_PROGRAM,
  accounts: [from, to, from],
  data: Uint8Array.of(3, ...encode(u64, amount)),
  height,
})

/** A purchase from a curve, with the transfers that it leads to. */
export function landedBuy(
  { genesis, curve, mint, trader }: Record<'genesis' | 'curve' | 'mint' | 'trader', Address>,
  { paid, fee, received }: { paid: bigint; fee: bigint; received: bigint },
  height = 1,
): LandedCall[] {
  const tokens = {
    base: { mint, program: TOKEN_PROGRAM },
    quote: { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM },
  }
  const order = { side: 'buy' as const, amountIn: 10n * paid, amountOutMin: 0n }
  const swap = landed(swapOnCurveCall(tokens, { genesis, curve }, { payer: trader, trader }, order), height)
  const at = (place: number) => swap.accounts[place] as Address
  return [
    swap,
    transferred(at(6), at(7), paid - fee, height + 1),
    transferred(at(4), at(5), received, height + 1),
    transferred(at(6), at(12), fee, height + 1),
  ]
}

export const landedTransaction = (
  calls: readonly LandedCall[],
  more: Partial<LandedTransaction> = {},
): LandedTransaction => ({
  signature: 'signature',
  slot: 7,
  time: 1_700_000_000,
  failed: false,
  created: new Set(),
  held: new Map(),
  calls,
  ...more,
})
