import type { LaunchTrade, LaunchTrades, Network, Slipway, WalletTrades } from '@slipway/client'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../lib/query-keys.ts'

/** Trades that are shown first, and that each further request adds. */
export const TRADES_PER_PAGE = 20
/** What the service returns at most. */
export const TRADES_MAX = 200
/** Trades in a pool don't move the launch, so no event reports them. */
const POLL_MS = 15_000

interface TradeList<Trade extends LaunchTrade = LaunchTrade>
  extends Pick<LaunchTrades, 'next' | 'complete' | 'reason'> {
  trades: Trade[]
}
export type AnyTrades = TradeList & (LaunchTrades | WalletTrades)

/** A list of trades, and how its pages are read. */
export interface TradeSource<List extends AnyTrades> {
  queryKey: QueryKey
  readPage(page: { limit: number; before?: string }, signal?: AbortSignal): Promise<List>
}

export const launchTrades = (
  slipway: Slipway,
  network: Network,
  address: string,
): TradeSource<LaunchTrades> => ({
  queryKey: queryKeys.trades(network, address),
  readPage: (page, signal) => slipway.launches.trades(address, { network, ...page }, signal && { signal }),
})

/** What a wallet did in all launches. */
export const walletTrades = (
  slipway: Slipway,
  network: Network,
  wallet: string,
): TradeSource<WalletTrades> => ({
  queryKey: queryKeys.walletTrades(network, wallet),
  readPage: (page, signal) => slipway.wallets.trades(wallet, { network, ...page }, signal && { signal }),
})

/** The newest trades of a list. When they are fetched again, so is what was loaded further down. */
export const tradesQuery = <List extends AnyTrades>({ queryKey, readPage }: TradeSource<List>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<List> => {
      const loaded = client.getQueryData<List>(queryKey)?.trades.length ?? 0
      const limit = Math.min(TRADES_MAX, Math.max(TRADES_PER_PAGE, loaded))
      const start = await readPage({ limit }, signal)
      return refreshTrades(client.getQueryData<List>(queryKey), start)
    },
    refetchInterval: POLL_MS,
  })

/** `signature` and `index` together identify a trade. */
export const tradeKey = ({ signature, index }: Pick<LaunchTrade, 'signature' | 'index'>): string =>
  `${signature} ${index}`

/** Adds the page that followed. */
export const appendTrades = <List extends AnyTrades>(known: List, page: List): List => ({
  ...page,
  trades: [...known.trades, ...page.trades],
})

/**
 * Replaces the beginning of a list. What was loaded beyond it stays. Otherwise, the list doesn't get longer: the oldest trades
 * make room for new ones.
 */
export function refreshTrades<List extends AnyTrades>(known: List | undefined, start: List): List {
  const last = start.trades.at(-1)
  if (!known || !last || start.next === null || known.trades.length <= start.trades.length) return start
  const cut = known.trades.findIndex(trade => tradeKey(trade) === tradeKey(last))
  // Without a trade that both have, there may be others between them.
  const rest = cut === -1 ? [] : known.trades.slice(cut + 1)
  return rest.length === 0 ? start : { ...start, trades: [...start.trades, ...rest], next: known.next }
}
