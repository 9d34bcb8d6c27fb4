import type { LaunchHolders, LaunchStatus, Network, Slipway } from '@slipway/client'
import { queryOptions } from '@tanstack/react-query'
import { fail, listOf, numberOrNull, objectOf, textOf, textOrNull, unitsOf } from '../../lib/fit-answers.ts'
import { isRaise } from '../../lib/launches.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import type { FactsProps } from './launch-facts.tsx'

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
    queryFn: async ({ signal }) => fitHolders(await slipway.launches.holders(address, { network, signal })),
    refetchInterval: POLL_MS,
    retry: 1,
  })

/** Without an owner or an amount, nothing can be said about a holder. */
function fitHolders(
  value: unknown,
): Pick<LaunchHolders, 'supply' | 'holders' | 'baseDecimals' | 'unreadParts'> {
  const { supply, holders, baseDecimals, unreadParts } = objectOf(value)
  return {
    supply: unitsOf(supply),
    baseDecimals: numberOrNull(baseDecimals) ?? fail(),
    unreadParts: numberOrNull(unreadParts) ?? 0,
    holders: listOf(holders).flatMap(each => {
      const { owner, amount, share, label } = objectOf(each)
      if (textOf(owner) === '' || unitsOf(amount) === '') return []
      const known = { owner, amount, share: numberOrNull(share) ?? 0, label: textOrNull(label) }
      return known as LaunchHolders['holders'][number]
    }),
  }
}
