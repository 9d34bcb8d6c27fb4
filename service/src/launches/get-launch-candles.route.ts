import { ServiceError } from '@slipway/schema/errors'
import { CANDLE_MINUTES, CandleInterval, LaunchCandles } from '@slipway/schema/market'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { readCandles } from '../store/candles.ts'
import type { Database } from '../store/database.ts'
import { findTradeSource } from '../store/list-trades.ts'
import { readTradesProgress } from '../store/trade-progress.ts'
import { createAnswerCache, SHORT_CACHE_CONTROL } from './answer-cache.ts'
import { EXAMPLE_CANDLES } from './examples.ts'
import { isTimeRange, LaunchParams, timeRange } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { planCandles } from './market/plan-candles.ts'
import { showCandle } from './market/show-trade.ts'

const CandlesQuery = z
  .object({
    network: NetworkInput,
    interval: CandleInterval.default('1h').meta({ description: '`1h` by default.' }),
    ...timeRange('500 intervals before `to`'),
  })
  .refine(isTimeRange, { path: ['from'] })

/** Requests within a second share one query. */
export function getLaunchCandlesEndpoint({
  database,
  snapshots,
}: {
  database: Database
  snapshots: LaunchSnapshots
}): Endpoint {
  const cache = createAnswerCache()
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches/{genesisAddress}/candles',
    id: 'getLaunchCandles',
    clientCall: 'launches.candles',
    tag: 'Launches',
    summary: 'Get candles',
    description: `Prices and volumes of a launch, per interval, from its buys and sells alone: sums over candles equal sums over trades.

- Intervals start at multiples of their length, in UTC. Those without a trade are left out.
- A range of more than 1,000 intervals yields the last 1,000.`,
    params: LaunchParams,
    query: CandlesQuery,
    faults: {
      network: 'INVALID_NETWORK',
      interval: 'INVALID_INTERVAL',
      from: 'INVALID_TIME',
      to: 'INVALID_TIME',
      genesisAddress: 'LAUNCH_NOT_FOUND',
    },
    success: {
      description: 'The candles.',
      schema: z.object({ data: LaunchCandles }),
      example: { data: EXAMPLE_CANDLES },
      conditional: true,
    },
    errors: ['LAUNCH_NOT_FOUND'],
    async answer({ params: { genesisAddress }, query: { network, interval, from, to } }) {
      if (!snapshots.of(network).launch(genesisAddress)) throw new ServiceError('LAUNCH_NOT_FOUND')
      const minutes = CANDLE_MINUTES[interval]
      const range = planCandles({ minutes, fromMs: from, toMs: to }, database.nowMs())
      const key = [network, genesisAddress, interval, range.fromMs, range.toMs].join(' ')
      const snapshot = await cache(key, async () => {
        const source = await findTradeSource(database, network, genesisAddress)
        if (!source) throw new ServiceError('LAUNCH_NOT_FOUND')
        // Candles are kept longer than trades, so only the progress counts.
        const progress = await readTradesProgress(database, network, genesisAddress)
        const candles = await readCandles(database, source.launchId, { minutes, ...range })
        const { quoteDecimals, baseDecimals } = source
        const shown = candles.map(candle => showCandle(candle, source))
        const data: LaunchCandles = { interval, candles: shown, ...progress, quoteDecimals, baseDecimals }
        return { data }
      })
      return { kind: 'prepared', snapshot, cacheControl: SHORT_CACHE_CONTROL }
    },
  })
}
