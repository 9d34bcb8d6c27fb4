import { type Address, describedAddress } from '@slipway/schema/address'
import { EXAMPLE_ADDRESSES } from '@slipway/schema/example-addresses'
import { type WalletTrade, WalletTrades } from '@slipway/schema/market'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { createCachedCall } from '../lib/kept-reads.ts'
import type { Database } from '../store/database.ts'
import { listWalletTrades, type StoredWalletTrade } from '../store/list-trades.ts'
import { encodeAnswer, SHORT_CACHE_CONTROL } from './answer-cache.ts'
import { EXAMPLE_WALLET_TRADES } from './examples.ts'
import { TRADES_LIMIT_DEFAULT, TradesPage } from './get-launch-trades.route.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { readLaunchData } from './listing/listed-launch.ts'
import { readNetworkCompleteness } from './market/read-completeness.ts'
import { showTrade } from './market/show-trade.ts'
import { decodeTradeCursor, encodeTradeCursor } from './market/trade-cursor.ts'
import { listFingerprint } from './page-cursor.ts'

/** With very many launches, it takes seconds to find out whether all trades have been read. */
const COMPLETENESS_KEPT_MS = 5_000

const WalletTradesParams = z.object({
  wallet: describedAddress("The wallet, or an agent's wallet.", EXAMPLE_ADDRESSES.owner),
})

/** Requests within a second share one query. */
export function getWalletTradesEndpoint({
  database,
  snapshots,
}: {
  database: Database
  snapshots: LaunchSnapshots
}): Endpoint {
  const completeness = Object.fromEntries(
    NETWORKS.map(network => [
      network,
      createCachedCall(() => readNetworkCompleteness(database, network), COMPLETENESS_KEPT_MS),
    ]),
  ) as Record<Network, () => ReturnType<typeof readNetworkCompleteness>>

  async function readPage(
    { network, limit = TRADES_LIMIT_DEFAULT, before }: z.output<typeof TradesPage>,
    wallet: z.output<typeof WalletTradesParams>['wallet'],
  ): Promise<WalletTrades> {
    const list = listFingerprint([network, wallet])
    const place = before === undefined ? undefined : decodeTradeCursor(before, list)
    // Before the trades: one that is stored meanwhile must not be missing from a list that is called complete.
    const known = await completeness[network]()
    const rows = await listWalletTrades(database, network, wallet, { limit: limit + 1, before: place })
    const page = rows.slice(0, limit)
    return {
      trades: showTrades(page, network),
      next: rows.length > limit ? encodeTradeCursor(page.at(-1) as StoredWalletTrade, list) : null,
      ...known,
    }
  }

  function showTrades(rows: readonly StoredWalletTrade[], network: Network): WalletTrade[] {
    const addresses = [...new Set(rows.map(({ genesisAddress }) => genesisAddress))]
    const tokens = new Map(addresses.map(address => [address, findToken(network, address)]))
    return rows.flatMap(row => {
      const { genesisAddress, quoteMint, quoteDecimals, baseDecimals } = row
      const baseToken = tokens.get(genesisAddress)
      // Without a token, it was hidden or registered a moment ago.
      return baseToken
        ? { genesisAddress, baseToken, ...showTrade(row, row), quoteMint, quoteDecimals, baseDecimals }
        : []
    })
  }

  function findToken(network: Network, address: Address): WalletTrade['baseToken'] | undefined {
    const launch = snapshots.of(network).launch(address)
    if (!launch) return undefined
    const { description: _, ...token } = readLaunchData(launch).baseToken
    return token
  }

  return defineEndpoint({
    method: 'GET',
    path: '/v1/wallets/{wallet}/trades',
    id: 'getWalletTrades',
    clientCall: 'wallets.trades',
    tag: 'Wallets',
    summary: "List a wallet's trades",
    description: `What a wallet did in all launches: its buys, sells, deposits, withdrawals, claims and refunds, newest first.

- Each trade is what \`GET /v1/launches/{genesisAddress}/trades\` returns, with its launch. Launches that the operator has hidden are left out.
- Pages neither skip nor repeat a trade while others arrive.
- \`complete\` is false while transactions of any launch of the network have not been read, because the wallet may have traded there. It may be five seconds old.
- A wallet that did nothing has an empty list.`,
    params: WalletTradesParams,
    query: TradesPage,
    faults: {
      wallet: 'INVALID_WALLET',
      network: 'INVALID_NETWORK',
      limit: 'INVALID_LIMIT',
      before: 'INVALID_CURSOR',
    },
    success: {
      description: 'A page of trades.',
      schema: z.object({ data: WalletTrades }),
      example: { data: EXAMPLE_WALLET_TRADES },
      conditional: true,
    },
    errors: [],
    async answer({ params: { wallet }, query }) {
      const snapshot = await encodeAnswer({ data: await readPage(query, wallet) })
      return { kind: 'prepared', snapshot, cacheControl: SHORT_CACHE_CONTROL }
    },
  })
}
