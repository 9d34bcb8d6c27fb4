import type { LaunchActivity } from '@slipway/client'
import { useQueries, useQuery } from '@tanstack/react-query'
import { quoteSymbol } from '../../lib/format.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { activityQuery, balanceQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Holdings, Position } from '../../lib/wallets.ts'
import { findWorth, isPriced, tokensIn } from './position-worth.ts'
import type { Shown } from './use-whole-list.ts'

/** What a wallet has in SOL, and what its positions would bring now, in the smallest unit. */
export interface Worth {
  /** Undefined without an RPC that browsers may use, and while the chain doesn't answer. */
  balance: bigint | undefined
  positions: bigint
  /** Whether a price is a part of that. Deposits and payouts have none. */
  isPriced: boolean
  /** Positions without a price, and those that can't be sold for SOL now. */
  leftOut: number
}

export function useWorth({ wallet, network, holdings }: Shown): {
  worth: Worth
  balanceState: 'hidden' | 'pending' | 'current' | 'stale' | 'unknown'
  /** Whether prices are on their way. */
  isPending: boolean
} {
  const { slipway, settings } = useSite()
  const rpc = settings.rpc[network]
  const isHydrated = useIsHydrated()
  const balance = useQuery({
    ...balanceQuery(rpc?.url ?? '', network, wallet),
    enabled: isHydrated && rpc !== undefined,
  })
  const priced = holdings.positions.filter(position => tokensIn(position) > 0n)
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
    balanceState: !rpc
      ? 'hidden'
      : balance.data !== undefined
        ? balance.isError
          ? 'stale'
          : 'current'
        : balance.isError
          ? 'unknown'
          : 'pending',
    isPending: !isHydrated || activities.some(({ isLoading }) => isLoading),
  }
}

export function sumWorth(
  { positions }: Pick<Holdings, 'positions'>,
  activities: ReadonlyMap<string, LaunchActivity | undefined>,
  balance: bigint | undefined,
): Worth {
  const sum = { balance, positions: 0n, isPriced: false, leftOut: 0 }
  for (const position of positions) {
    const worth = findWorth(position, activities.get(position.genesisAddress))
    if (worth !== undefined && isNative(position.quoteMint)) {
      sum.positions += worth
      sum.isPriced ||= isPriced(position)
    } else if (worth !== undefined || isHeld(position)) sum.leftOut += 1
  }
  return sum
}

/** With the graduation, deposits have become tokens. */
const isHeld = (position: Position) =>
  tokensIn(position) > 0n || (position.deposited !== '0' && position.launch.graduatedAt === null)

const isNative = (mint: string) => quoteSymbol(mint) === 'SOL'
