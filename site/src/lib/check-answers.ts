import {
  type Agent,
  type CreatorRewards,
  type LaunchDetail,
  SlipwayError,
  type TradeQuote,
} from '@slipway/client'

/**
 * What is checked of answers, because people sign for it: that an answer is about what was asked, and that a quote is
 * for the order and keeps its minimum. The rest is as its type says, since the service that answers also serves this
 * page. If it isn't, the part that shows it fails and says so; an amount without decimals is never shown.
 */

export const checkLaunch = (launch: LaunchDetail, asked: string): LaunchDetail =>
  launch.launch.genesisAddress === asked ? launch : fail()

/** People fund the agent in the answer. */
export const checkAgent = (agent: Agent, asked: string): Agent => (agent.address === asked ? agent : fail())

/** People claim for the wallet in the answer. */
export const checkRewards = (rewards: CreatorRewards, asked: string): CreatorRewards =>
  rewards.wallet === asked ? rewards : fail()

export function checkQuote(
  quote: TradeQuote,
  { side, amount, slippageBps }: { side: string; amount: string; slippageBps: number },
): TradeQuote {
  const amounts = [quote.amountIn, quote.amountOut, quote.minAmountOut]
  // An empty text would count as 0.
  if (!amounts.every(units => /^\d+$/.test(units))) fail()
  const [paid, received, least] = amounts.map(BigInt) as [bigint, bigint, bigint]
  const isTooLow = least < (received * BigInt(10_000 - slippageBps)) / 10_000n
  return quote.side !== side || paid > BigInt(amount) || isTooLow ? fail() : quote
}

function fail(): never {
  throw new SlipwayError('The service sent an incomplete answer', { code: 'UNKNOWN_RESPONSE', status: 502 })
}
