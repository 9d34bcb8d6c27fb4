import { formatAmount, type LaunchActivity } from '@slipway/client'
import { REFUSALS } from '@slipway/launch-model/actions'
import { useQueries, useQuery } from '@tanstack/react-query'
import { quoteSymbol } from '../../lib/format.ts'
import type { KnownFigures, Standing } from '../../lib/launches.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { activityQuery, balanceQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Holdings, Position } from '../../lib/wallets.ts'
import type { Shown } from './holding-lists.tsx'

/**
 * What a position would bring now, at the last price, in the smallest unit. Undefined if it can't be sold or withdrawn,
 * and if there is no price.
 */
export function findWorth(position: Position, activity: KnownFigures | undefined): bigint | undefined {
  const { launch, deposited, refundable, proceeds, actions, quoteDecimals, baseDecimals } = position
  const due = BigInt(refundable) + BigInt(proceeds)
  const tokens = tokensIn(position)
  if (isPriced(position)) {
    const price = Number(activity?.endedAt === null ? (activity.current?.price ?? 0) : 0)
    if (!(price > 0)) return undefined
    const whole = Number(formatAmount(tokens, baseDecimals)) * price
    return BigInt(Math.round(whole * 10 ** quoteDecimals)) + due
  }
  if (due > 0n) return due
  // With the graduation, deposits have become tokens.
  const isKept = deposited === '0' || launch.graduatedAt !== null || !actions.includes('withdraw')
  return isKept ? undefined : BigInt(deposited)
}

/** Whether its worth depends on a price. */
export const isPriced = (position: Position): boolean =>
  tokensIn(position) > 0n && position.actions.includes('sell')

const tokensIn = ({ balance, claimable }: Position): bigint => BigInt(balance) + BigInt(claimable)

/** What a position that brings nothing now is waiting for; undefined if it is not known to wait. */
export function findHindrance(position: Position, standing: Standing): string | undefined {
  const { deposited, refundable, claimed, actions, sellRefusal, launch } = position
  if (refundable !== '0') return undefined
  if (tokensIn(position) > 0n) {
    if (actions.includes('sell') || sellRefusal === null) return undefined
    if (sellRefusal === REFUSALS.TAKES_DEPOSITS) return 'No pool to sell them in'
    return sellRefusal === REFUSALS.SOLD_OUT ? 'Waits for graduation' : sellRefusal
  }
  if (deposited === '0' || claimed !== '0' || launch.graduatedAt !== null) return undefined
  if (standing === 'closed') return 'Waits for graduation'
  return actions.includes('withdraw') || standing !== 'live' ? undefined : 'Locked until the sale ends'
}

/** What the wallet can collect now; undefined if it is owed nothing. */
export function findCollection({
  refundable,
  claimable,
  proceeds,
  actions,
}: Position): 'Get a refund' | 'Claim' | undefined {
  if (refundable !== '0') return 'Get a refund'
  return claimable !== '0' || proceeds !== '0' || actions.includes('claim') ? 'Claim' : undefined
}

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
