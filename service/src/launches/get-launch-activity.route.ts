import { ActivityInterval, LaunchActivity } from '@slipway/schema/activity'
import { ServiceError } from '@slipway/schema/errors'
import { NetworkInput } from '@slipway/schema/network'
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import type { Database } from '../store/database.ts'
import { buildActivity, planPoints } from './activity/build-activity.ts'
import { readFigures } from './activity/read-figures.ts'
import { createAnswerCache, SHORT_CACHE_CONTROL } from './answer-cache.ts'
import { EXAMPLE_ACTIVITY } from './examples.ts'
import { isTimeRange, LaunchParams, timeRange } from './launch-params.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'

const ActivityQuery = z
  .object({
    network: NetworkInput,
    interval: ActivityInterval.default('hour').meta({ description: '`hour` by default.' }),
    ...timeRange('a day before `to`'),
  })
  .refine(isTimeRange, { path: ['from'] })

/** Figures come from the store, where the indexer keeps them. Requests within a second share one query. */
export function getLaunchActivityEndpoint({
  database,
  snapshots,
}: {
  database: Database
  snapshots: LaunchSnapshots
}): Endpoint {
  const cache = createAnswerCache()
  return defineEndpoint({
    method: 'GET',
    path: '/v1/launches/{genesisAddress}/activity',
    id: 'getLaunchActivity',
    clientCall: 'launches.activity',
    tool: {
      name: 'get_launch_activity',
      leavesOff: 'start',
      rest: 'Ask for a shorter range, or a longer interval.',
    },
    tag: 'Launches',
    summary: 'Get figures over time',
    description: `What a launch has raised and sold, its price and its progress: now, and at the end of each interval of a range.

- An interval without a change repeats the figures before it. There are no points before the first known state.
- A range of more than 500 intervals yields the last 500.`,
    params: LaunchParams,
    query: ActivityQuery,
    faults: {
      network: 'INVALID_NETWORK',
      interval: 'INVALID_INTERVAL',
      from: 'INVALID_TIME',
      to: 'INVALID_TIME',
      genesisAddress: 'LAUNCH_NOT_FOUND',
    },
    success: {
      description: 'The figures, now and over time.',
      schema: z.object({ data: LaunchActivity }),
      example: { data: EXAMPLE_ACTIVITY },
      conditional: true,
    },
    errors: ['LAUNCH_NOT_FOUND'],
    async answer({ params: { genesisAddress }, query: { network, interval, from, to } }) {
      const launch = snapshots.of(network).launch(genesisAddress)
      if (!launch) throw new ServiceError('LAUNCH_NOT_FOUND')
      const range = {
        interval,
        ...(from !== undefined && { fromMs: from }),
        ...(to !== undefined && { toMs: to }),
      }
      const nowMs = database.nowMs()
      const starts = planPoints(range, nowMs)
      // Includes the latest change, so that a request that follows an event doesn't get older figures.
      const key = [network, genesisAddress, launch.activityMs, interval, starts[0], starts.length].join(' ')
      const snapshot = await cache(key, async () => {
        const asked = { interval, starts, nowMs }
        const activity = await readFigures(database, { network, genesisAddress }, asked)
        if (!activity) throw new ServiceError('LAUNCH_NOT_FOUND')
        return { data: buildActivity(genesisAddress, activity, starts) }
      })
      return { kind: 'prepared', snapshot, cacheControl: SHORT_CACHE_CONTROL }
    },
  })
}
