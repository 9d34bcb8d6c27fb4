import type { LaunchTrade, LaunchTrades, Network, Slipway } from '@slipway/client'
import { queryOptions } from '@tanstack/react-query'
import { listOf, numberOrNull, objectOf, textOf, textOrNull, unitsOf } from '../../../lib/fit-answers.ts'
import { queryKeys } from '../../../lib/query-keys.ts'

/** Trades that are shown first, and that each further request adds. */
export const TRADES_PER_PAGE = 20
/** What the service returns at most. */
const TRADES_REFRESHED_MAX = 200
/** Trades in a pool don't move the launch, so no event reports them. */
const POLL_MS = 15_000

/** The newest trades of a launch. When they are fetched again, so is what was loaded further down. */
export const tradesQuery = (slipway: Slipway, network: Network, address: string) => {
  const queryKey = queryKeys.trades(network, address)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<LaunchTrades> => {
      const loaded = client.getQueryData<LaunchTrades>(queryKey)?.trades.length ?? 0
      const limit = Math.min(TRADES_REFRESHED_MAX, Math.max(TRADES_PER_PAGE, loaded))
      const start = fitTrades(await slipway.launches.trades(address, { network, limit }, { signal }))
      return refreshTrades(client.getQueryData<LaunchTrades>(queryKey), start)
    },
    refetchInterval: POLL_MS,
  })
}

/** `signature` and `index` together identify a trade. */
export const tradeKey = ({ signature, index }: LaunchTrade): string => `${signature} ${index}`

/** Adds the page that followed. */
export const appendTrades = (known: LaunchTrades, page: LaunchTrades): LaunchTrades => ({
  ...page,
  trades: [...known.trades, ...page.trades],
})

/**
 * Replaces the beginning of a list. What was loaded beyond it stays. Otherwise, the list doesn't get longer: the oldest trades
 * make room for new ones.
 */
export function refreshTrades(known: LaunchTrades | undefined, start: LaunchTrades): LaunchTrades {
  const last = start.trades.at(-1)
  if (!known || !last || start.next === null || known.trades.length <= start.trades.length) return start
  const cut = known.trades.findIndex(trade => tradeKey(trade) === tradeKey(last))
  // Without a trade that both have, there may be others between them.
  const rest = cut === -1 ? [] : known.trades.slice(cut + 1)
  return rest.length === 0 ? start : { ...start, trades: [...start.trades, ...rest], next: known.next }
}

/** Without what a service of another version left out. A trade that can't be told from others is not shown. */
export function fitTrades(value: unknown): LaunchTrades {
  const { trades, next, complete, reason, quoteDecimals, baseDecimals } = objectOf(value)
  return {
    trades: listOf(trades).flatMap(each => {
      const trade = objectOf(each)
      const { signature, index } = trade
      if (textOf(signature) === '' || numberOrNull(index) === null) return []
      return {
        ...trade,
        time: textOf(trade.time),
        kind: textOf(trade.kind),
        wallet: textOf(trade.wallet),
        agent: textOrNull(trade.agent),
        baseAmount: unitsOf(trade.baseAmount),
        quoteAmount: unitsOf(trade.quoteAmount),
        price: textOrNull(trade.price),
      } as LaunchTrade
    }),
    next: textOrNull(next),
    complete: complete !== false,
    reason: textOrNull(reason),
    quoteDecimals: numberOrNull(quoteDecimals),
    baseDecimals: numberOrNull(baseDecimals),
  }
}
