import { AddressString } from '@slipway/schema/address'
import { ServiceError } from '@slipway/schema/errors'
import { LaunchTrades, TradeKind } from '@slipway/schema/market'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { createSnapshot, defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { wholeNumber } from '../endpoint/whole-number.ts'
import type { Database } from '../store/database.ts'
import { findTradeSource, listTrades, type StoredTrade } from '../store/list-trades.ts'
import { createAnswerCache, SHORT_CACHE_CONTROL } from './answer-cache.ts'
import { EXAMPLE_TRADES } from './examples.ts'
import { LaunchParams } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { readCompleteness } from './market/read-completeness.ts'
import { showTrade } from './market/show-trade.ts'
import { decodeTradeCursor, encodeTradeCursor } from './market/trade-cursor.ts'
import { prefersCsv, toCsv } from './market/trades-csv.ts'
import { listFingerprint } from './page-cursor.ts'

const LIMIT_MAX = 200
export const TRADES_LIMIT_DEFAULT = 50

/** Which page of a list of trades. */
export const TradesPage = z.object({
  network: NetworkInput,
  limit: wholeNumber(LIMIT_MAX).meta({
    type: 'integer',
    minimum: 1,
    maximum: LIMIT_MAX,
    description: `Trades per page; ${TRADES_LIMIT_DEFAULT} by default.`,
  }),
  before: z.string().max(512).optional().meta({
    description:
      'Continues after the page whose `next` this is. All other parameters except `limit` must be the same.',
  }),
})

const TradesQuery = TradesPage.extend({
  wallet: AddressString.optional().meta({ description: 'Only trades of this wallet.' }),
  kind: TradeKind.optional().meta({ description: 'Only trades of this kind.' }),
})

/** Requests within a second share one query. */
export function getLaunchTradesEndpoint({
  database,
  snapshots,
}: {
  database: Database
  snapshots: LaunchSnapshots
}): Endpoint {
  const cache = createAnswerCache()

  async function readPage(
    { network, limit = TRADES_LIMIT_DEFAULT, before, wallet, kind }: z.output<typeof TradesQuery>,
    genesisAddress: z.output<typeof LaunchParams>['genesisAddress'],
  ): Promise<LaunchTrades> {
    const list = listFingerprint([network, genesisAddress, wallet, kind])
    const place = before === undefined ? undefined : decodeTradeCursor(before, list)
    const source = await findTradeSource(database, network, genesisAddress)
    if (!source) throw new ServiceError('LAUNCH_NOT_FOUND')
    // Completeness is read before the trades: a trade stored in between must not be missing from a complete list.
    const completeness = await readCompleteness(database, network, genesisAddress, source)
    const rows = await listTrades(database, source.launchId, {
      limit: limit + 1,
      before: place,
      wallet,
      kind,
    })
    const { quoteDecimals, baseDecimals } = source
    const shown = rows.slice(0, limit)
    return {
      trades: shown.map(trade => showTrade(trade, source)),
      next: rows.length > limit ? encodeTradeCursor(shown.at(-1) as StoredTrade, list) : null,
      ...completeness,
      quoteDecimals,
      baseDecimals,
    }
  }

  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches/{genesisAddress}/trades',
    id: 'getLaunchTrades',
    clientCall: 'launches.trades',
    tool: {
      name: 'get_launch_trades',
      page: { size: 'limit', from: 'before', next: ({ data }) => (data as LaunchTrades).next },
      withoutFields: ['index', 'protocolFee', 'creatorFee', 'slot'],
    },
    tag: 'Launches',
    summary: 'List trades',
    description: `Buys, sells, deposits, withdrawals, claims and refunds of a launch, newest first.

- Pages neither skip nor repeat a trade while others arrive.
- While trades are missing, \`complete\` is false and \`reason\` says why.
- With \`Accept: text/csv\`, the same rows are CSV, and a \`Link\` header leads to the next page.`,
    params: LaunchParams,
    query: TradesQuery,
    faults: {
      network: 'INVALID_NETWORK',
      limit: 'INVALID_LIMIT',
      before: 'INVALID_CURSOR',
      wallet: 'INVALID_WALLET',
      kind: 'INVALID_KIND',
      genesisAddress: 'LAUNCH_NOT_FOUND',
    },
    success: {
      description: 'A page of trades.',
      schema: z.object({ data: LaunchTrades }),
      example: { data: EXAMPLE_TRADES },
      conditional: true,
    },
    errors: ['LAUNCH_NOT_FOUND'],
    async answer({ params: { genesisAddress }, query, headers }) {
      const { network, limit, before, wallet, kind } = query
      if (!snapshots.of(network).launch(genesisAddress)) throw new ServiceError('LAUNCH_NOT_FOUND')
      const common = { kind: 'prepared', cacheControl: SHORT_CACHE_CONTROL, variesByAccept: true } as const
      if (prefersCsv(headers.accept)) {
        const { trades, next } = await readPage(query, genesisAddress)
        const nextPage = next === null ? undefined : urlOf(genesisAddress, { ...query, before: next })
        const snapshot = createSnapshot(Buffer.from(toCsv(trades)))
        return { ...common, snapshot, nextPage, contentType: 'text/csv; charset=utf-8' }
      }
      const isFirstPage = before === undefined && wallet === undefined
      const key = isFirstPage ? JSON.stringify([network, genesisAddress, limit, kind]) : undefined
      const snapshot = await cache(key, async () => ({ data: await readPage(query, genesisAddress) }))
      return { ...common, snapshot }
    },
  })
}

function urlOf(genesisAddress: string, query: Record<string, string | number | undefined>): string {
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, `${value}`)
  return `/v1/launches/${genesisAddress}/trades?${sent}`
}
