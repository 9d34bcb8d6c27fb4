import type { LaunchActivity } from '@slipway/client'
import { useQueries, useQuery } from '@tanstack/react-query'
import { quoteSymbol } from '../../lib/format.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { activityQuery, balanceQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Holdings } from '../../lib/wallets.ts'
import { findWorth } from './position-worth.ts'
import type { Shown } from './use-whole-list.ts'

/** What a wallet is worth in SOL, in the smallest unit, and what that consists of. */
export interface Worth {
  /** Undefined without an RPC that browsers may use, and while the chain doesn't answer. */
  balance: bigint | undefined
  positions: bigint
  rewards: bigint
  /** Positions without a price, and those that are paid in another token. */
  leftOut: number
}

export function useWorth({ wallet, network, holdings }: Shown): {
  worth: Worth
  /** Whether prices or the balance are on their way. */
  isPending: boolean
  balanceState: 'hidden' | 'current' | 'stale'
} {
  const { slipway, settings } = useSite()
  const rpc = settings.rpc[network]
  const isHydrated = useIsHydrated()
  const balance = useQuery({
    ...balanceQuery(rpc?.url ?? '', network, wallet),
    enabled: isHydrated && rpc !== undefined,
  })
  const priced = holdings.positions.filter(position => position.balance !== '0' || position.claimable !== '0')
  const activities = useQueries({
    queries: priced.map(({ genesisAddress }) => ({
      ...activityQuery(slipway, network, genesisAddress, 'day'),
      enabled: isHydrated,
      staleTime: 60_000,
      retry: false,
    })),
  })
  const found = new Map(priced.map(({ genesisAddress }, at) => [genesisAddress, activities[at]?.data]))
  return {
    worth: sumWorth(holdings, found, balance.data === undefined ? undefined : BigInt(balance.data)),
    isPending:
      !isHydrated ||
      (rpc !== undefined && balance.isLoading) ||
      activities.some(({ isLoading }) => isLoading),
    balanceState: !rpc ? 'hidden' : balance.isError && balance.data !== undefined ? 'stale' : 'current',
  }
}

export function sumWorth(
  { positions, rewards }: Pick<Holdings, 'positions' | 'rewards'>,
  activities: ReadonlyMap<string, LaunchActivity | undefined>,
  balance: bigint | undefined,
): Worth {
  const sum = { balance, positions: 0n, rewards: 0n, leftOut: 0 }
  for (const position of positions) {
    const worth = findWorth(position, activities.get(position.genesisAddress))
    if (worth !== undefined && isNative(position.quoteMint)) sum.positions += worth
    else if (worth !== undefined || position.balance !== '0' || position.claimable !== '0') sum.leftOut += 1
  }
  for (const { quoteMint, claimable } of rewards) if (isNative(quoteMint)) sum.rewards += BigInt(claimable)
  return sum
}

const isNative = (mint: string) => quoteSymbol(mint) === 'SOL'
