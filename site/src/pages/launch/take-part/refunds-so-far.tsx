import { useQuery } from '@tanstack/react-query'
import { Amount } from '../../../components/amount.tsx'
import { Facts } from '../../../components/facts.tsx'
import { formatCount } from '../../../lib/format.ts'
import type { Figures } from '../../../lib/launches.ts'
import { useSite } from '../../../lib/site-context.ts'
import { movementsQuery } from '../raised-series.ts'
import { addressOf, symbolsOf, type Taking } from './taking.ts'

/** The service reads a refund a moment after it is confirmed. */
const POLL_MS = 15_000

/** How much of a launch that missed its goal has been paid back. Hidden unless all of it is known. */
export function RefundsSoFar({ taking, figures }: { taking: Taking; figures: Figures | undefined }) {
  const { slipway } = useSite()
  const { network, tokens } = taking
  const { data: movements } = useQuery({
    ...movementsQuery(slipway, network, addressOf(taking)),
    refetchInterval: POLL_MS,
  })
  const refunds = movements?.filter(({ kind }) => kind === 'refund')
  if (!refunds) return null
  const count = refunds.length
  const sum = refunds.reduce((all, { units }) => all + BigInt(units), 0n)
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
