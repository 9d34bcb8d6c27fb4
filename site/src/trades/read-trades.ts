import type { LaunchTrade, LaunchTrades, Network, Slipway, WalletTrades } from '@slipway/client'
import { type QueryKey, queryOptions } from '@tanstack/react-query'
import { fitTexts, listOf, numberOrNull, objectOf, textOf, textOrNull, unitsOf } from '../lib/fit-answers.ts'
import { parseText } from '../lib/parse-json.ts'
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
  readPage: async (page, signal) =>
    fitTrades(await slipway.launches.trades(address, { network, ...page }, signal && { signal })),
})

/** What a wallet did in all launches. */
export const walletTrades = (
  slipway: Slipway,
  network: Network,
  wallet: string,
): TradeSource<WalletTrades> => ({
  queryKey: queryKeys.walletTrades(network, wallet),
  readPage: async (page, signal) =>
    fitWalletTrades(await slipway.wallets.trades(wallet, { network, ...page }, signal && { signal })),
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

/** Without what a service of another version left out. */
export function fitTrades(value: unknown): LaunchTrades {
  const { trades, quoteDecimals, baseDecimals } = objectOf(value)
  return {
    trades: listOf(trades).flatMap(each => findTrade(each) ?? []),
    ...fitPage(value),
    quoteDecimals: numberOrNull(quoteDecimals),
    baseDecimals: numberOrNull(baseDecimals),
  }
}

/** A trade without its launch leads nowhere. */
export function fitWalletTrades(value: unknown): WalletTrades {
  return {
    trades: listOf(objectOf(value).trades).flatMap(each => {
      const { genesisAddress, baseToken, quoteMint, quoteDecimals, baseDecimals } = objectOf(each)
      const trade = findTrade(each)
      const address = parseText(genesisAddress)
      if (!trade || !address) return []
      return {
        ...trade,
        genesisAddress: address,
        baseToken: fitTexts(baseToken, TOKEN) as unknown as WalletTrades['trades'][number]['baseToken'],
        quoteMint: textOrNull(quoteMint),
        quoteDecimals: numberOrNull(quoteDecimals),
        baseDecimals: numberOrNull(baseDecimals),
      }
    }),
    ...fitPage(value),
  }
}

const TOKEN = ['address', 'name', 'symbol', 'image']

function fitPage(value: unknown): Pick<LaunchTrades, 'next' | 'complete' | 'reason'> {
  const { next, complete, reason } = objectOf(value)
  return { next: textOrNull(next), complete: complete !== false, reason: textOrNull(reason) }
}

/** A trade that can't be told from others is not shown. */
function findTrade(value: unknown): LaunchTrade | undefined {
  const trade = objectOf(value)
  const { signature, index } = trade
  if (textOf(signature) === '' || numberOrNull(index) === null) return undefined
  return {
    ...trade,
    time: textOf(trade.time),
    kind: textOf(trade.kind),
    wallet: textOf(trade.wallet),
    agent: textOrNull(trade.agent),
    baseAmount: unitsOf(trade.baseAmount),
    quoteAmount: unitsOf(trade.quoteAmount),
    protocolFee: unitsOf(trade.protocolFee),
    price: textOrNull(trade.price),
  } as LaunchTrade
}
