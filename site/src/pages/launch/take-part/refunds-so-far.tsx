import type { LaunchTrades } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Amount } from '../../../components/amount.tsx'
import { Facts } from '../../../components/facts.tsx'
import { formatCount } from '../../../lib/format.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import { launchTrades } from '../../../trades/read-trades.ts'
import { addressOf, symbolsOf, type Taking } from './taking.ts'

/** What the service returns at most. Beyond it, refunds are not counted. */
const TRADES_MAX = 200

/** How much of a launch that missed its goal has been paid back. Hidden unless all of it is known. */
export function RefundsSoFar({ taking }: { taking: Pick<Taking, 'data' | 'network' | 'tokens'> }) {
  const { slipway } = useSite()
  const { network, tokens } = taking
  const { data: list } = useQuery({
    queryKey: queryKeys.refunds(network, addressOf(taking)),
    queryFn: ({ signal }) =>
      launchTrades(slipway, network, addressOf(taking)).readPage({ limit: TRADES_MAX }, signal),
  })
  const refunds = list && countRefunds(list)
  if (!refunds) return null
  const { count, sum } = refunds
  return (
    <Facts
      facts={[
        ['Refunds so far', formatCount(count)],
        [
          'Paid back',
          sum > 0n && (
            <Amount
              key="sum"
              units={`${sum}`}
              decimals={tokens.quoteDecimals}
              symbol={symbolsOf(taking).quote}
            />
          ),
        ],
      ]}
    />
  )
}

/** Undefined unless the list has all trades of the launch. */
export function countRefunds({
  trades,
  next,
  complete,
}: Pick<LaunchTrades, 'trades' | 'next' | 'complete'>): { count: number; sum: bigint } | undefined {
  if (!complete || next !== null) return undefined
  const refunds = trades.filter(({ kind }) => kind === 'refund')
  return {
    count: refunds.length,
    sum: refunds.reduce((sum, trade) => sum + BigInt(trade.quoteAmount || 0), 0n),
  }
}
