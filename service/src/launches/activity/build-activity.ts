import type { ActivityFigures, LaunchActivity } from '@slipway/schema/activity'
import type { Address } from '@slipway/schema/address'
import type { Activity } from '../../store/activity.ts'
import { formatPrice } from './format-price.ts'

type StoredFigures = NonNullable<Activity['current']>

/** The figures of a launch as they are served. `starts` are the intervals whose ends were read. */
export function buildActivity(
  genesisAddress: Address,
  { quoteMint, quoteDecimals, baseDecimals, goal, creatorWallets, endedAt, current, points }: Activity,
  starts: readonly number[],
): LaunchActivity {
  const decimals =
    quoteDecimals === null || baseDecimals === null ? undefined : { quoteDecimals, baseDecimals }

  function toFigures({ raised, sold, supply, ...state }: StoredFigures): ActivityFigures {
    const { priceQuote, priceBase, progress, participants, creatorFees } = state
    const price =
      decimals && priceQuote !== null && priceBase !== null
        ? formatPrice({ quote: BigInt(priceQuote), base: BigInt(priceBase) }, decimals)
        : null
    return {
      raised,
      sold,
      supply,
      price,
      progress: progress === null ? null : progress / 1_000_000,
      participants: toCount(participants),
      creatorFees,
    }
  }

  const endMs = endedAt?.getTime() ?? Number.POSITIVE_INFINITY
  return {
    genesisAddress,
    quoteMint,
    quoteDecimals,
    baseDecimals,
    goal,
    creatorWallets,
    current: current ? toFigures(current) : null,
    endedAt: endedAt?.toISOString() ?? null,
    points: starts.flatMap((startMs, at) => {
      const state = points[at]
      return state && startMs <= endMs ? [{ time: new Date(startMs).toISOString(), ...toFigures(state) }] : []
    }),
  }
}

/** Null if a JSON number can't hold it: no sale has that many deposits. */
function toCount(text: string | null): number | null {
  const count = Number(text)
  return text !== null && Number.isSafeInteger(count) ? count : null
}
