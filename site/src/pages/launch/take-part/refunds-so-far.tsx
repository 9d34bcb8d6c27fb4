import type { LaunchTrades } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Amount } from '../../../components/amount.tsx'
import { Facts } from '../../../components/facts.tsx'
import { formatCount } from '../../../lib/format.ts'
import type { Figures } from '../../../lib/launches.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import { launchTrades } from '../../../trades/read-trades.ts'
import { addressOf, symbolsOf, type Taking } from './taking.ts'

/** What the service returns at most. Beyond it, refunds are not counted. */
const TRADES_MAX = 200
/** The service reads a refund a moment after it is confirmed. */
const POLL_MS = 15_000

/** How much of a launch that missed its goal has been paid back. Hidden unless all of it is known. */
export function RefundsSoFar({ taking, figures }: { taking: Taking; figures: Figures | undefined }) {
  const { slipway } = useSite()
  const { network, tokens } = taking
  const { data: list } = useQuery({
    queryKey: queryKeys.refunds(network, addressOf(taking)),
    queryFn: ({ signal }) =>
      launchTrades(slipway, network, addressOf(taking)).readPage({ limit: TRADES_MAX }, signal),
    refetchInterval: POLL_MS,
  })
  const refunds = list && countRefunds(list)
  if (!refunds) return null
  const { count, sum } = refunds
  const all = figures?.participants ?? null
  return (
    <Facts
      facts={[
        ['Refunds so far', `${formatCount(count)}${all === null ? '' : ` of ${formatCount(all)}`}`],
        [
          'Paid back',
          <span key="sum">
            {figures && (
              <>
                <Amount units={`${sum}`} decimals={tokens.quoteDecimals} />
                {' of '}
              </>
            )}
            <Amount
              units={figures?.raised ?? `${sum}`}
              decimals={tokens.quoteDecimals}
              symbol={symbolsOf(taking).quote}
            />
          </span>,
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
