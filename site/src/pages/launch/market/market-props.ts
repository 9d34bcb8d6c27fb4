import type { LaunchStatus } from '@slipway/client'
import { isRaise } from '../../../lib/launches.ts'
import type { FactsProps } from '../pool-facts.tsx'

export interface MarketProps extends FactsProps {
  status: LaunchStatus
}

/** Nothing is traded before a raise has graduated. */
export const tradesTitle = ({
  data,
  status,
  hasEnded,
}: Pick<MarketProps, 'data' | 'status' | 'hasEnded'>): string =>
  !isRaise(data.launch.mechanic)
    ? 'Trades'
    : status !== 'graduated' || hasEnded
      ? 'Deposits'
      : 'Trades and deposits'
