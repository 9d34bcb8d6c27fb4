import type { Slipway } from '@slipway/client'
import type { Action } from '../../../actions/action.ts'
import type { FittedQuote } from '../../../lib/fit-answers.ts'
import { titleOf } from '../../../lib/launches.ts'
import { describeTradeFee } from './describe-fee.ts'
import { addressOf, launchTokensOf, sayer, type Taking } from './taking.ts'

/** A trade as the form has shown it. */
export function createSwapAction(
  slipway: Slipway,
  taking: Taking,
  order: { side: 'buy' | 'sell'; wallet: string; units: bigint; slippageBps: number },
  shown: FittedQuote,
): Omit<Action, 'draft' | 'onConfirmed' | 'onInvalid'> {
  const { data, network, tokens } = taking
  const { amountOut, minAmountOut } = shown
  const { side, wallet, units, slippageBps } = order
  const address = addressOf(taking)
  const isBuy = side === 'buy'
  const say = sayer(taking)
  const [sayPaid, sayReceived] = isBuy ? [say.quote, say.base] : [say.base, say.quote]
  // What the transaction pays, which is less than asked if less is left.
  let paid = units
  const describe = (got: string) =>
    isBuy ? `You got ${got} for ${sayPaid(paid)}.` : `You sold ${sayPaid(paid)} for ${got}.`
  return {
    key: `swap:${network}:${address}`,
    title: `${isBuy ? 'Buy' : 'Sell'} ${titleOf(data)}`,
    network,
    async build(signal) {
      const request = { wallet, side, amount: `${units}`, minAmountOut, network }
      const { tx, blockhash, quote } = await slipway.launches.swap(address, request, { signal })
      paid = BigInt(quote.amountIn)
      const intent = {
        ...launchTokensOf(taking),
        ...{
          kind: 'swap' as const,
          side,
          amountIn: units,
          amountOut: BigInt(amountOut),
          minAmountOut: BigInt(minAmountOut),
          slippageBps,
        },
      }
      return { transactions: [tx], blockhash, intent, fee: describeTradeFee(taking, shown) }
    },
    expects: { label: 'You get about', amount: sayReceived(amountOut) },
    done: () => describe(`about ${sayReceived(amountOut)}`),
    result(changes) {
      const got = changes.get(isBuy ? data.baseToken.address : tokens.quoteMint) ?? 0n
      return got > 0n ? describe(sayReceived(got)) : undefined
    },
  }
}
