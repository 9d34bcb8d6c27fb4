import type { LaunchDetail, LaunchStatus, Network, Slipway } from '@slipway/client'
import { queryOptions } from '@tanstack/react-query'
import { type Figures, isRaise } from '../../lib/launches.ts'
import { queryKeys } from '../../lib/query-keys.ts'

export interface FactsProps {
  data: LaunchDetail
  network: Network
  figures: Figures | undefined
  /** Whether it has graduated without a pool. */
  hasEnded: boolean
}

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

const POLL_MS = 30_000

/** The largest accounts of a launch's token, and how much of it there is. */
export const holdersQuery = (slipway: Slipway, network: Network, address: string) =>
  queryOptions({
    queryKey: queryKeys.holders(network, address),
    queryFn: ({ signal }) => slipway.launches.holders(address, { network, signal }),
    refetchInterval: POLL_MS,
    retry: 1,
  })
